#pragma once
/// Whether a core was solved: to rounding, down to noise, or not at all.

#include <vector>

#include "algorithms/robust_cp/core/core_solution.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Unknowns of the model, counting only rows that are not zero.
double unknowns(const Factors& factors);

/// The shape of residuals: whether those within 3 sigma are spread as normal ones are, far from
/// rounding and from the data themselves. Where the model is wrong, they crowd around zero.
bool is_noise_like(const std::vector<double>& magnitudes, double sigma, double spread);

/// Whether the entries that a pass fitted have residuals of rounding, as a whole: their root mean
/// square is at most a fifth of `level` in units of that of L. Where S is far larger than L, noise
/// of L can be below `level` in units of the data.
bool is_fitted_to_rounding(const Factors& factors, const PassStatistics& fitted, double level);

/// Sets sigma and noise_like from the residuals at the `informative` entries, and exact and
/// exact_share from all of them.
void judge(const DenseCore& core, const std::vector<Index>& informative, CoreSolution& solution);

}  // namespace sunder::robust
