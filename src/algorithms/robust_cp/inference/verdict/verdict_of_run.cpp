#include "algorithms/robust_cp/inference/verdict/verdict_of_run.hpp"

#include <utility>

#include "algorithms/robust_cp/candidate.hpp"
#include "algorithms/robust_cp/inference/verdict/gather_evidence.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/noise/part.hpp"

namespace sunder::robust {

namespace {

/// The fit in some rows of each mode.
NoisyFit fit_at(const NoisyFit& fit, const IndexSets& sets) {
  NoisyFit part = fit;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    part.factors[m] = fit.factors[m](sets[m], Eigen::all).eval();
  }
  part.noise = fit.noise.at(sets);
  return part;
}

NoiseEvidence evidence_of(RunContext& context, const NoisySampled& sampled, const NoisyFit& fit,
                          Rng& rng) {
  const DenseCore core =
      without_ends(with_atoms(scaled_core(context, sampled.sets), sampled.atoms));
  const NoisyFit of_core = fit_at(fit, sampled.sets);
  const auto rank = static_cast<int>(fit.factors.front().cols());
  const Shape extents = core_shape(core.shape, rank, levels::inference::verdict_side);
  if (context.constraints.shares() || extents.entries() >= core.shape.entries()) {
    return gather_evidence(core, of_core, context.constraints, rng, context.monitor);
  }
  const IndexSets sets = draw_part(core, extents, rng);
  return gather_evidence(part_of(core, sets), fit_at(of_core, sets), context.constraints, rng,
                         context.monitor);
}

}  // namespace

Certificate verdict_of_run(RunContext& context, const NoisySampled& sampled, const NoisyFit& fit) {
  // Rows that have a prior, and noise that nobody sees, have no standard errors.
  const bool can_tell = sampled.completed.empty() && !fit.noise.is_below_resolution() &&
                        fit.noise.count_unit == 0 && norm(fit.factors) > 0;
  if (!can_tell) return {};
  context.stage = "gathering evidence";
  Rng rng(context.run.seed, ~std::uint64_t{7});
  const auto evidence = context.steps.take<NoiseEvidence>("verdict", rng, [&] {
    context.report_progress();
    return evidence_of(context, sampled, fit, rng);
  });
  return judge_under_noise(evidence);
}

}  // namespace sunder::robust
