#include "algorithms/robust_cp/certificate/survey.hpp"

#include <cmath>

#include "algorithms/run/validation.hpp"

namespace sunder::robust {

Survey::Survey(Engine& engine, const RunOptions& run, Precision& precision, Monitor& monitor)
    : engine_(engine), run_(run), precision_(precision), monitor_(monitor) {}

Verification Survey::look(const Factors& factors, double level, bool remember_few) {
  Verification seen = read(factors, level, remember_few);
  const bool overflow = !std::isfinite(seen.statistics.rejected_square_sum);
  if (overflow && precision_ == Precision::f32) {
    precision_ = Precision::f64;
    seen = read(factors, level, remember_few);
  }
  require_observed(seen.statistics.missing, engine_.shape());
  return seen;
}

Verification Survey::read(const Factors& factors, double level, bool remember_few) {
  const auto entries = static_cast<double>(engine_.shape().entries());
  monitor_.did(2 * entries * static_cast<double>(factors.front().cols()));
  return verify(engine_, factors,
                {.level = level,
                 .precision = precision_,
                 .collect_sparse = collects(),
                 .sparse_sink = remember_few ? few_.watching(fresh_sink()) : fresh_sink()});
}

std::optional<SparseTensor> Survey::few_outliers(const Verification& seen) const {
  return few_.all(engine_.shape(), seen.statistics.rejected, engine_.communicator());
}

/// Where S goes from its first entry on; empty if it goes nowhere.
SparseSink Survey::fresh_sink() const {
  SparseReceiver* receiver = run_.sparse_receiver;
  if (receiver == nullptr) return {};
  receiver->begin(engine_.shape(), engine_.finds_in_order());
  return [receiver](auto positions, auto values) { receiver->add(positions, values); };
}

}  // namespace sunder::robust
