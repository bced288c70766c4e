#include "algorithms/robust_cp/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/consensus/other_starts.hpp"
#include "algorithms/robust_cp/extend/extension.hpp"
#include "algorithms/robust_cp/trace.hpp"
#include "algorithms/run/validation.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

void refuse_if_all_missing(RunContext& context) {
  const CpModel nothing = CpModel::zero(context.shape);
  const PassResult seen = context.engine.pass({.model = &nothing});
  require_observed(seen.statistics.missing, context.shape);
}

}  // namespace

DenseCore scaled_core(RunContext& context, const IndexSets& sets) {
  DenseCore core = gather_core(context.engine, sets);
  if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing(context);
  RunState& state = context.state;
  state.scale = power_of_two_near(core.values.abs().maxCoeff());
  state.mean_square = core.values.square().mean() / std::max(core.observed_share(), tiny);
  core.values /= state.scale;
  return core;
}

IndexSets draw_core(const RunContext& context, const Shape& extents, Rng& rng) {
  return draw_shared_indices(context.shape, extents, context.constraints, rng);
}

Candidate in_unit_of_data(const RunContext& context, Factors factors, const CoreSolution& core) {
  Candidate candidate{std::move(factors), core};
  if (context.shape.order() == 2 && !context.constraints.any()) {
    use_singular_vectors(candidate.factors);
  }
  candidate.factors.front() *= context.state.scale;
  candidate.core.sigma *= context.state.scale;
  candidate.core.spread *= context.state.scale;
  return candidate;
}

Sampled solve_random_core(RunContext& context, const Shape& extents, const CoreOptions& options,
                          Rng& rng) {
  context.stage = fmt::format("core {}", to_string(extents));
  return context.steps.take<Sampled>(context.stage, rng, [&] {
    context.report_progress();
    Sampled sampled;
    sampled.sets = draw_core(context, extents, rng);
    const DenseCore core = scaled_core(context, sampled.sets);
    CoreOptions complete = options;
    complete.constraints = context.constraints;
    complete.ratio_rounding = ratio_rounding(context.engine, Precision::f64);
    sampled.solution = solve_core(core, context.run.rank, complete, rng, context.monitor);
    context.report_progress();
    record_core(context.stage, sampled.solution, context.meter, context.state);
    return sampled;
  });
}

Candidate extend_to_tensor(RunContext& context, const Sampled& sampled, Rng& rng,
                           const Factors* start) {
  return context.steps.take<Candidate>("extension", rng, [&] {
    Factors factors =
        extend(context.engine, sampled.sets, sampled.solution,
               {.scale = context.state.scale, .constraints = context.constraints, .start = start},
               rng, context.monitor);
    return in_unit_of_data(context, std::move(factors), sampled.solution);
  });
}

Sampled solve_core_by_moves(RunContext& context, const Shape& extents, Rng& rng) {
  context.stage = "other starts";
  return context.steps.take<Sampled>(context.stage, rng, [&] {
    context.report_progress();
    Sampled sampled;
    sampled.sets = draw_core(context, extents, rng);
    const DenseCore core = scaled_core(context, sampled.sets);
    CoreSolution known =
        solve_core(core, context.run.rank, {.rungs = 1, .constraints = context.constraints}, rng,
                   context.monitor);
    sampled.solution = known.noise_like ? known
                                        : solve_from_other_starts(
                                              core, known, {context.run.rank, context.chooses_rank},
                                              context.constraints, rng, context.monitor);
    record_core(context.stage, sampled.solution, context.meter, context.state);
    return sampled;
  });
}

}  // namespace sunder::robust
