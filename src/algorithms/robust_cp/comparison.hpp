#pragma once
/// Which of two candidates explains T better, where no core was solved exactly.

#include <vector>

#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The standard deviation of the inliers and the description length are measured on the same
/// sampled entries for every model of a run.
ResidualSample residuals_of(RunContext& context, const Factors& factors);

/// Whether two fits, of different cores or from different random starts, give the same L. That is a
/// reason to stop, but no certificate.
bool agree(const Candidate& a, const Candidate& b);

/// Nats for each entry, at the best sigma, of residuals that are either normal or anywhere within
/// the range of the data: min over sigma of the mean of min(r^2 / (2 sigma^2) + log sigma, log
/// range).
double description_length(const std::vector<double>& magnitudes, double range);

/// By how much the first candidate describes T in fewer nats for each entry than the second.
double description_gain(RunContext& context, const Candidate& first, const Candidate& second);

/// Whether the first model fits clearly more of the sampled entries to within the level. Where the
/// rank is chosen, more components must not be the reason.
bool fits_clearly_more(RunContext& context, const Factors& first, const Factors& second,
                       double level);

}  // namespace sunder::robust
