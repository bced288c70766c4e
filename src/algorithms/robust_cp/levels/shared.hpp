#pragma once
/// Every level, threshold and count that robust-cp decides by stands in this folder, with its unit
/// and its reason: here what several parts share, and one header for each of the parts. "By hand"
/// means: chosen by hand on planted tensors and never studied by itself. Measurements named here
/// are those of docs/methods/robust-cp.md. A spread is 1.4826 median absolute deviations of the
/// data of a core; q is the lower quartile of |residuals|; rms means root mean square.

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"

namespace sunder::robust {

/// Spreads. Residuals below this are rounding, of which solved cores leave 1e-13.
inline constexpr double rounding_level = 1e-6;
/// Spreads. Residuals above this are outliers; an exact solution has hardly any in between.
inline constexpr double outlier_level = 1e-4;

}  // namespace sunder::robust

namespace sunder::robust::levels {

/// Fitted entries for each unknown, above which a fit is no accident. As many as there are unknowns
/// can always be fitted; three times as many had no reason to agree. By hand.
inline constexpr double evidence_per_unknown = 3;
/// Of the largest entry of a column: smaller ones count as zero. By hand, above rounding (1e-13).
inline constexpr double zero_entry = 1e-8;
/// Of the norm of the largest component: smaller components are rounding. By hand.
inline constexpr double negligible_component = 1e-10;
/// Spreads. What regressions on an exact core leave of entries that they fit. By hand.
inline constexpr double refit_rounding = 4e-9;
/// The least mean weight that a Gauss-Newton step divides by, under smooth weights. It bounds the
/// step where nearly everything is an outlier; a scalar, since weights by row diverged on blocks.
inline constexpr double least_mean_weight = 0.4;
/// The same under a threshold, which keeps fewer entries. By hand.
inline constexpr double least_kept_share = 0.1;
/// Flops for each entry and component: of a residual, and with the products of all modes.
inline constexpr double flops_of_residual = 2;
inline constexpr double flops_of_products = 6;
/// Of the mean diagonal entry of normal equations: what is added to keep them solvable. A few
/// thousand units of rounding, far below what any direction that matters has.
inline constexpr double ridge = 1e-12;

/// Standard deviations beyond which a residual is in S, where no noise model was fitted.
inline constexpr double usual_noise_width = 4;

/// Steps on fitted entries alone that go as far as they can (sharpening, determinacy). By hand.
inline constexpr GaussNewtonOptions patient_step{1e-12, 100, 1e-4};

}  // namespace sunder::robust::levels
