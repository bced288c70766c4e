#pragma once
/// How a run ends where no model fits the entries to rounding.

#include <string>

#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The level from which residuals belong to S: `noise_width` standard deviations of the inliers,
/// but no less than rounding.
double noise_threshold(const RunContext& context, const Candidate& candidate, double sigma);

/// What the user is told where no two fits agree, or where all of them were rejected.
std::string explain_stall(const RunContext& context, bool core_is_whole);

}  // namespace sunder::robust
