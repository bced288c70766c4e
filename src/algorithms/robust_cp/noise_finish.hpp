#pragma once
/// How a run ends where no model fits the entries to rounding.

#include <string>

#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The level from which residuals belong to S: `noise_width` standard deviations of the inliers,
/// but no less than rounding.
double noise_threshold(const RunContext& context, const Candidate& candidate, double sigma);

/// Refines the model on the inliers of all of T, by `polish_passes` passes. Every one is a step of
/// the journal. Returns the standard deviation of the inliers.
double polish(RunContext& context, Candidate& candidate);

/// What the user is told where two fits agree.
std::string explain_noise(int rank, double sigma, bool core_is_whole);

/// What the user is told where no two fits agree, or where all of them were rejected.
std::string explain_stall(const RunContext& context, bool core_is_whole);

/// Sets the outcome and the words of a run that the time limit ended before L was decided.
void end_by_time_limit(Decomposition& result);

}  // namespace sunder::robust
