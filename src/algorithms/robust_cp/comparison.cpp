#include "algorithms/robust_cp/comparison.hpp"

#include "algorithms/robust_cp/core/explanation.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"

namespace sunder::robust {

ResidualSample residuals_of(RunContext& context, const Factors& factors) {
  return sample_residuals(context.engine, factors, context.run.seed);
}

bool agree(const Candidate& a, const Candidate& b) {
  return distance(a.factors, b.factors) < levels::scheme::same_model * norm(b.factors);
}

double description_gain(RunContext& context, const Candidate& first, const Candidate& second) {
  const auto length = [&](const Candidate& candidate) {
    const ResidualSample left = residuals_of(context, candidate.factors);
    return description_length(left.magnitudes, left.largest);
  };
  return length(second) - length(first);
}

}  // namespace sunder::robust
