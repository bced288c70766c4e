#pragma once
/// Which of two candidates explains T better, where no core was solved exactly.

#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The standard deviation of the inliers and the description length are measured on the same
/// sampled entries for every model of a run.
ResidualSample residuals_of(RunContext& context, const Factors& factors);

/// Whether two fits, of different cores or from different random starts, give the same L. That is a
/// reason to stop, but no certificate.
bool agree(const Candidate& a, const Candidate& b);

/// By how much the first candidate describes T in fewer nats for each entry than the second.
double description_gain(RunContext& context, const Candidate& first, const Candidate& second);

}  // namespace sunder::robust
