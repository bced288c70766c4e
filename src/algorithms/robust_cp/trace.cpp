#include "algorithms/robust_cp/trace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sunder::robust {

namespace {

void stamp(const Meter& meter, TraceRecord& line) {
  line.pass = meter.passes();
  line.entries_sampled = meter.sampled();
  line.flops = meter.flops();
  line.seconds = meter.seconds();
}

}  // namespace

void record_core(std::string_view stage, const CoreSolution& core, const Meter& meter,
                 RunState& state) {
  TraceRecord line;
  line.stage =
      fmt::format("{}, {} {}, {}", stage, core.starts, core.starts == 1 ? "start" : "starts",
                  core.exact ? "exact" : "not exact");
  line.threshold = core.sigma * state.scale;
  line.sparse_fraction = 1 - core.exact_share;
  stamp(meter, line);
  state.trace.push_back(std::move(line));
}

void record_noise(std::string_view stage, const NoisySolution& solution, const Meter& meter,
                  RunState& state) {
  TraceRecord line;
  line.stage = fmt::format("{}, {}", stage, solution.start);
  line.threshold = solution.fit.noise.sigma() * state.scale;
  line.sparse_fraction = solution.fit.noise.outlier_share;
  stamp(meter, line);
  state.trace.push_back(std::move(line));
}

void record_sparse(const TensorFit& fit, const Meter& meter, RunState& state) {
  if (state.trace.empty()) return;
  TraceRecord& last = state.trace.back();
  const auto observed = static_cast<double>(fit.statistics.observed());
  const double size = std::sqrt(observed * state.mean_square);
  last.threshold = fit.level;
  last.kept_residual = size > 0 ? std::sqrt(fit.statistics.kept_square_sum) / size : 0;
  last.sparse_fraction = static_cast<double>(fit.statistics.rejected) / observed;
  stamp(meter, last);
}

}  // namespace sunder::robust
