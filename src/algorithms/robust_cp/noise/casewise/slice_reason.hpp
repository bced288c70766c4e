#pragma once
/// Why a slice is bad: whether what L leaves of it has a structure of its own.

#include "algorithms/robust_cp/run_context.hpp"
#include "sunder/algorithms/noise_estimate.hpp"

namespace sunder::robust {

/// Reads the worst of the flagged slices, some rows of each, and changes the reason of those whose
/// residuals obey another model. The factors are those of T / scale.
void find_reasons(RunContext& context, const Factors& factors, std::vector<FlaggedSlice>& flagged);

/// The share of the squares of residuals that `rank` components explain beyond what they explain of
/// random numbers; 0 if the slice is too small to tell. The largest residuals are cut off.
double structure_of_slice(const Matrix& residuals, Index rank);

}  // namespace sunder::robust
