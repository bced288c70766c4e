#pragma once
/// The levels of the regressions that carry a model from a core to all of T (rows/, extend/).

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::robust::levels {

/// Robust regression of rows (rows/). By hand where nothing is said.
namespace rows {
inline constexpr Index padding = 8;  ///< columns: doubles of the widest vector (512 bits)
inline constexpr Index between_heartbeats = 512;  ///< rows: some milliseconds
inline constexpr Index for_a_thread = 16;         ///< rows that are worth another thread
inline constexpr int at_a_time = 8;               ///< rows that a thread takes
inline constexpr double dead_column =
    1e-12;  ///< square of a column, of the largest: no information
inline constexpr Index enough_for_quantile = 128;   ///< entries of a row
inline constexpr int max_steps = 30;                ///< with shrinking weights
inline constexpr double first_scale = 3;            ///< rms of the residual: the first c
inline constexpr double floor = 4;                  ///< c stays above this many quartiles
inline constexpr double shrink = 0.7;               ///< of c in a step
inline constexpr double quartile_of_inliers = 0.4;  ///< sigma: a quartile below is the inliers'
inline constexpr double converged = 1e-20;          ///< square of a step, of that of K a: rounding
inline constexpr int inlier_steps = 2;              ///< of least squares: the second is refinement
inline constexpr double inlier_limit = 5;           ///< sigma, estimated from the quartile
inline constexpr double fitted = 4;                 ///< sigma, within which an entry is fitted
inline constexpr double doubtful_share = 0.1;  ///< of fitted entries; fewer make a row doubtful,
inline constexpr double doubtful_of_median = 0.5;  ///< and so do fewer than half the median row's
inline constexpr double cautious_quantiles[] = {0.12, 0.06};  ///< for rows with fewer inliers
inline constexpr int cautious_fits = 6;    ///< the two quantiles from three starts each
inline constexpr double usual_steps = 12;  ///< of a fit, for the count of flops
/// Columns of a refit: 60 r, at least 400: far more than the unknowns of a row, even where most
/// entries are outliers.
inline constexpr Index refit_columns = 60;
inline constexpr Index least_refit_columns = 400;
}  // namespace rows

/// From the core to all of T (extend/).
namespace extension {
/// Columns for each component that a row sees: where the core is exact few rows need more, and
/// these see all; under noise the error of a row falls with their number. By hand.
inline constexpr Index columns_if_exact = 40;
inline constexpr Index columns_if_not = 120;
inline constexpr Index entries_at_once = Index{1} << 20;  ///< of fibres: 8 MiB
inline constexpr Index assumed_length = Index{1} << 12;   ///< of a row that sees all columns
inline constexpr Index least_rows = 64;                   ///< at a time
/// Of the root of the largest singular value: its square, 1e-14, is rounding.
inline constexpr double zero_root = 1e-7;
/// What a threshold at 3 sigma leaves of the curvature of the truncated loss, beside the entries
/// that it rejects: it takes 6 phi(3) / P(|z| < 3) = 2.7% of a normal z's.
inline constexpr double polish_curvature = 0.973;
inline constexpr GaussNewtonOptions polish_step{1e-6, 40, 1e-4};  ///< by hand
}  // namespace extension

}  // namespace sunder::robust::levels
