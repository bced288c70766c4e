#pragma once
/// Every level, threshold and count that robust-cp decides by, with its unit and its reason. "By
/// hand" means: chosen by hand on planted tensors and never studied by itself. Measurements named
/// here are those of docs/methods/robust-cp.md. A spread is 1.4826 median absolute deviations of
/// the data of a core; q is the lower quartile of |residuals|; rms means root mean square.

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// Spreads. Residuals below this are rounding. Solved cores leave 1e-13, so that the level is far
/// above rounding, and noise below it cannot be told from it.
inline constexpr double rounding_level = 1e-6;
/// Spreads. Residuals above this are outliers; an exact solution has hardly any in between.
inline constexpr double outlier_level = 1e-4;

}  // namespace sunder::robust

namespace sunder::robust::levels {

// Shared by several parts.

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
/// Flops for each entry and component: of a residual, and of a residual with the products of all
/// modes.
inline constexpr double flops_of_residual = 2;
inline constexpr double flops_of_products = 6;
/// Of the mean diagonal entry of normal equations: what is added to keep them solvable. A few
/// thousand units of rounding, far below what any direction that matters has.
inline constexpr double ridge = 1e-12;

/// The data of a core (core/dense_core, core/core_statistics).
namespace data {
/// Powers of two by which data are scaled stay this far from underflow and overflow (2^+-1022).
inline constexpr int largest_exponent = 1000;
/// With fewer non-zeros than this share, zeros are common, and say nothing about L. By hand.
inline constexpr double usual_share_of_nonzeros = 0.9;
/// Entries that are enough for a quantile: its standard error is 0.5 / sqrt(20,000) of a share.
inline constexpr std::size_t enough_for_quantiles = 20'000;
/// Of |median|. Data that deviate less are constant, and their own size is the unit.
inline constexpr double constant_deviation = 1e-12;
/// What the solver of a core has in memory at a time, in copies of the core: counted by hand.
inline constexpr std::int64_t copies_in_memory = 14;
}  // namespace data

/// Which entries are sampled (core/sampling, core/residual_sample).
namespace sampling {
/// The least extent of a core is 2 r + 10: each row then has more entries than unknowns even if
/// one of the other modes is as short as this.
inline constexpr Index extent_per_component = 2;
inline constexpr Index extent_beyond = 10;
/// The side of a core is given as if of this order.
inline constexpr double order_of_side = 3;
/// In units of the other entries. Larger errors are cut to this: still far beyond everything, and
/// their squares do not overflow.
inline constexpr double far_beyond = 1e30;
/// In units of T. Entries above this are cut; the square of one is 1e120, as of stray bits.
inline constexpr double astray = 1e60;
/// Entries at which models of one run are compared. A share is known to 0.002 by them.
inline constexpr std::size_t residuals = 50'000;
}  // namespace sampling

/// The start of a core's fit (core/graduated/core_start, small_als).
namespace start {
/// Random starts of CP-ALS. With one instead of six, whole columns of the recovery table failed.
inline constexpr int restarts = 6;
/// Sweeps of each, at most, and the change of the relative cost at which they end. By hand.
inline constexpr int sweeps = 80;
inline constexpr double tolerance = 1e-5;
/// Of the mean diagonal entry of the normal equations of ALS: keeps parallel components apart.
inline constexpr double als_ridge = 1e-9;
/// Spreads about the median to which the start clips the data; a start without clipping failed.
inline constexpr double clip = 10;
/// Of the mean square. Where the square of the mean is more, the mean is a component itself;
/// otherwise it is taken off, since a one-sided S would take a component. By hand.
inline constexpr double mean_is_a_component = 0.8;
}  // namespace start

/// Graduated non-convexity (core/graduated). By hand where nothing is said.
namespace graduated {
inline constexpr int max_iterations = 120;
/// Entries on which quantiles and costs are taken, and the number up to which all are.
inline constexpr Index sample = 8'000;
inline constexpr Index sample_all_below = 12'000;

// The scale c of the smooth weights. Too small a first scale locks heavy tails of L out, too
// large a one takes up the mean of S.
inline constexpr double floor_in_quartiles = 6;  ///< kappa: c stays above kappa q...
inline constexpr double least_floor = 1;         ///< ...which itself goes down to this
inline constexpr double first_scale_in_rms = 3;  ///< the first c is at most this many rms
inline constexpr double shrink = 0.8;            ///< of c in an iteration, and of kappa
inline constexpr double at_floor = 0.999;        ///< of kappa q: c has arrived there
inline constexpr double slow = 0.03;             ///< relative movement of L; below, kappa shrinks

// Damping mu of the smooth steps, relative to the size of the normal matrix.
inline constexpr double first_damping = 1e-3;
inline constexpr double least_damping = 1e-4;
inline constexpr double more_damping = 10;    ///< after a step that raised the cost
inline constexpr double less_damping = 3;     ///< after each step
inline constexpr double raised_cost = 1.001;  ///< of the cost before: worse than this is refused
inline constexpr int damping_attempts = 4;    ///< the last of which is taken in any case
inline constexpr int smooth_step_limit = 25;  ///< of conjugate gradients
inline constexpr double smooth_tolerance = 1e-2;

// The threshold, which goes down to rounding.
inline constexpr GaussNewtonOptions threshold_step{1e-6, 25, 1e-3};
inline constexpr GaussNewtonOptions inlier_step{1e-6, 30, 1e-3};
inline constexpr double settled = 0.01;           ///< movement below which the threshold may begin
inline constexpr int rest_after_pruning = 2;      ///< iterations before it may
inline constexpr double apart_in_rms = 5;         ///< inliers stand apart where 5 of their rms < c
inline constexpr double first_threshold = 4;      ///< sigma, where they do not stand apart
inline constexpr double threshold_in_rms = 8;     ///< the threshold falls to 8 rms of the inliers,
inline constexpr double threshold_fall = 0.6;     ///< but not by more than this factor,
inline constexpr double threshold_floor = 3.5;    ///< and not below 3.5 sigma, into the noise
inline constexpr double threshold_rests = 0.003;  ///< movement below which it falls in any case
inline constexpr double upset = 0.2;              ///< movement that sends back to smooth weights
inline constexpr int cheap_steps = 8;             ///< under the threshold, with the mean weight
inline constexpr int inlier_steps = 10;           ///< after these: down to rounding, or never
inline constexpr double converged = 1e-9;         ///< movement at which the fit ends
inline constexpr double stationary_movement = 1e-4;  ///< what is left is noise if L rests so far,
inline constexpr double stationary_sigma = 0.98;     ///< and sigma does not fall below this share
inline constexpr int stationary_iterations = 3;      ///< for as many iterations

// Surplus components, which blocks of S need: each block is nearly a component.
inline constexpr int first_pruning = 3;     ///< iteration from which components may go
inline constexpr double clear_gap = 3;      ///< the r-th loss over the next: clear
inline constexpr double no_loss = 1e-12;    ///< of the robust cost, which is at most 1
inline constexpr int patient_pruning = 25;  ///< iteration from which they go if not clear,
inline constexpr int early_pruning = 8;     ///< or from this one if L rests:
inline constexpr double pruning_movement = 2e-3;
inline constexpr int pruning_interval = 3;     ///< iterations between two prunings
inline constexpr std::size_t pruned_part = 4;  ///< a quarter: two that share one become whole
inline constexpr int refits = 3;               ///< ALS fits of the model at the lower rank;
inline constexpr int refit_sweeps = 40;        ///< without them columns of the table failed
inline constexpr double refit_tolerance = 1e-7;
inline constexpr double widened_share = 0.6;  ///< of the inliers, the quantile for the new c
inline constexpr double widened_in_quartiles = 20;
}  // namespace graduated

/// Gauss-Newton steps (core/gauss_newton, core/exact/curvature).
namespace gauss_newton {
/// Added to the preconditioner, where a factor is zero altogether; its inverse must be finite.
inline constexpr double least_diagonal = 1e-150;
/// Lanczos steps, and the relative length at which they have met an invariant subspace. By hand.
inline constexpr int lanczos_steps = 60;
inline constexpr double lanczos_end = 1e-12;
}  // namespace gauss_newton

/// The ladder of starts (core/core_solver).
namespace ladder {
inline constexpr int rungs = 3;
/// Lower quartiles of |residual| that the first scale may have: 6 is quick, 20 is for blocks.
inline constexpr double cheap_width = 6;
inline constexpr double patient_width = 20;
/// Surplus components: a fifth and two fifths of the median extent, at least 4 and 8. By hand.
inline constexpr Index surplus_part = 5;
inline constexpr Index least_surplus = 4;
/// Shares of fitted entries are compared in thousandths, then the deviation of the inliers decides.
inline constexpr double share_steps = 1000;
}  // namespace ladder

/// Whether a core was solved exactly, or has noise (core/exact/core_verdict).
namespace verdict {
/// Of rms(L): entries below this say nothing about L. By hand.
inline constexpr double entry_at_work = 1e-4;
/// Of the norm of a factor: rows below this are zero, and have no unknowns. By hand.
inline constexpr double row_at_work = 1e-6;
/// Share of fitted entries above which a core is exact, and of entries between rounding and
/// outliers below which it is. No certificate was false in 64 fresh instances of every kind.
inline constexpr double least_fitted_share = 0.15;
inline constexpr double most_between = 0.02;
/// Of rounding_level rms(L), the rms of fitted entries. At 1 an L with an error of 5e-6 passed, as
/// S was a hundred times larger than L and set the unit.
inline constexpr double fitted_rms = 0.2;
/// Spreads between which a deviation can be noise: above rounding, below the data. By hand.
inline constexpr double least_noise = 1e-5;
inline constexpr double most_noise = 0.25;
/// Share of residuals within 3 sigma that noise must have. By hand.
inline constexpr double least_inlier_share = 0.2;
/// P(|z| < 1/2) and P(|z| < 1) of a normal z with |z| < 3, and how far off shares may be. By hand.
inline constexpr double normal_within_half = 0.384;
inline constexpr double normal_within_one = 0.685;
inline constexpr double share_tolerance = 0.03;
}  // namespace verdict

/// Rows that a threshold locked out (core/exact/healing).
namespace healing {
inline constexpr int sweeps = 6;         ///< over all modes, at most; by hand
inline constexpr double progress = 0.7;  ///< of sigma: a sweep that leaves more ends it; by hand
inline constexpr double poor_row = 0.6;  ///< of the median row's fitted share; by hand
}  // namespace healing

/// An exact core is sharpened to rounding (core/exact/sharpening). By hand.
namespace sharpening {
inline constexpr double level = 10;     ///< rounding levels below which an entry is an inlier
inline constexpr int cheap_steps = 15;  ///< with the mean weight
inline constexpr GaussNewtonOptions cheap_step{1e-9, 40, 1e-4};
inline constexpr double least_mean = 1e-3;  ///< mean weight that these divide by, at least
inline constexpr int inlier_steps = 3;      ///< on the inliers themselves
inline constexpr double done = 1e-13;       ///< spreads, the rms of inliers: rounding itself
inline constexpr double progress = 0.5;     ///< of the mean square, a step must get below it,
inline constexpr double kept = 0.99;        ///< and keep this share of the inliers
}  // namespace sharpening

/// Steps on fitted entries alone that go as far as they can (sharpening, determinacy). By hand.
inline constexpr GaussNewtonOptions patient_step{1e-12, 100, 1e-4};

/// A rank above the true one (core/exact/surplus, core/core_solver).
namespace surplus {
/// Rounds of projecting factors onto what the others tell apart. By hand.
inline constexpr int settle_rounds = 10;
/// Of the largest eigenvalue of a Gram product: directions below are not told apart. By hand.
inline constexpr double indistinguishable = 1e-10;
/// Entries for each unknown above which a dropped component may still be one. By hand.
inline constexpr double hint_per_unknown = 1.5;
/// Smallest eigenvalue of J'J over the largest, below which factors are not determined. By hand.
inline constexpr double least_curvature = 1e-3;
/// Of the rounding level: outliers as close as this have one value. Far below what errors of any
/// number have between them.
inline constexpr double same_value = 1e-4;
}  // namespace surplus

/// The choice of the rank (core/rank_choice).
namespace rank {
/// Of the lowest truncated loss: a rank within 3% of it suffices. Right in 48 of 48 planted cases
/// without noise and with 0.05 of it; with blocks it overestimates.
inline constexpr double loss = 1.03;
}  // namespace rank

/// Constraints (core/constrained_fit). By hand.
namespace constrained {
inline constexpr int most_steps = 40;
inline constexpr int halvings = 6;         ///< of a step that does not lower the cost
inline constexpr double tolerance = 1e-4;  ///< relative, of a step: noise leaves more uncertain
inline constexpr GaussNewtonOptions step{1e-4, 40, 1e-3};
}  // namespace constrained

/// Less robust fits (core/explanation). By hand where nothing is said.
namespace less_robust {
inline constexpr double sigma_step = 1.25;  ///< between the sigmas that are tried,
inline constexpr int sigmas = 93;           ///< which reach down to 1e-9 of the range
inline constexpr int sweeps = 200;          ///< of ALS for least squares,
inline constexpr double als_tolerance = 1e-9;
inline constexpr int fillings = 10;            ///< or of ALS and filling in of missing entries
inline constexpr int nonnegative_starts = 8;   ///< least squares has several minima there;
inline constexpr int nonnegative_sweeps = 30;  ///< few sweeps, since outliers make the lowest one
inline constexpr double nonnegative_tolerance = 1e-7;
inline constexpr int scales = 12;         ///< each half of the one before,
inline constexpr double first_scale = 4;  ///< rms of the residuals of least squares
inline constexpr int steps = 12;          ///< at one scale, at most
inline constexpr GaussNewtonOptions step{1e-3, 25, 1e-2};
inline constexpr double movement = 1e-3;  ///< relative, at which a scale is done with
}  // namespace less_robust

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
/// Entries of fibres in memory at once (8 MiB), the length of a row for which all columns count,
/// and the least number of rows at a time.
inline constexpr Index entries_at_once = Index{1} << 20;
inline constexpr Index assumed_length = Index{1} << 12;
inline constexpr Index least_rows = 64;
/// Of the root of the largest singular value: its square, 1e-14, is rounding.
inline constexpr double zero_root = 1e-7;
/// What a threshold at 3 sigma leaves of the curvature of the truncated loss, beside the entries
/// that it rejects: it takes 6 phi(3) / P(|z| < 3) = 2.7% of a normal z's.
inline constexpr double polish_curvature = 0.973;
inline constexpr GaussNewtonOptions polish_step{1e-6, 40, 1e-4};  ///< by hand
}  // namespace extension

/// The scheme (robust_cp.cpp).
namespace scheme {
/// The scout core has side 30, or 4 r: with it, easy tensors of 100^3 took a tenth of a second
/// instead of two. It is worth its while where the usual core has twice its entries. By hand.
inline constexpr Index scout_side = 30;
inline constexpr Index scout_side_per_component = 4;
inline constexpr Index scout_advantage = 2;
/// A core that failed grows by a half: two of the same size could agree on a wrong model.
inline constexpr Index growth_numerator = 3;
inline constexpr Index growth_denominator = 2;
/// Fits on the whole tensor, and with one that explains it far better than another. By hand.
inline constexpr int tries_on_whole = 2;
inline constexpr int tries_if_promising = 3;
/// Cores from which on noise does not end the ladder of starts, and the budget counts. By hand.
inline constexpr int first_attempts = 2;
/// Relative distance below which two fits agree on L. By hand.
inline constexpr double agreement = 0.3;
/// Nats for each entry by which a model must describe T more shortly to be preferred. By hand.
inline constexpr double clear_gain = 0.05;
}  // namespace scheme

/// The certificate (certificate/, robust_cp.cpp). By hand where nothing is said.
namespace certificate {
/// What rounding does to the ratio of two entries, at most, in double precision.
inline constexpr double ratio_rounding = 1e-7;
/// Units of rounding of narrower types that a residual (times sqrt(r + 1)), or a ratio, may have.
inline constexpr double units_of_rounding = 40;

/// Share of a slice's entries that must be fitted, at least, and of the median slice's share.
inline constexpr double slice_share = 0.08;
inline constexpr double slice_share_of_median = 0.25;
/// Mean square of a factor's rows, of it: rows below are zero, and their entries do not count.
inline constexpr double dead_row = 1e-10;
/// Fitted entries of a slice for each component: as many as r can be fitted by accident.
inline constexpr Index entries_per_component = 2;

/// Of the overall share, what entries of a component, or a direction, must be fitted by; and least.
inline constexpr double evidence_of_share = 0.25;
inline constexpr double least_evidence = 0.05;
/// Entries drawn for a component by each law.
inline constexpr Index component_draws = 400;

/// Slices fitted by less are looked at for rows that contradict them, the weakest of each mode.
inline constexpr double contradictable_share = 0.5;
inline constexpr std::size_t contradictable_rows = 64;
/// Another row contradicts if it fits more than this share of what is not fitted, and 3 r + 5.
inline constexpr double contradicting_share = 0.2;
inline constexpr Index accident_per_component = 3;
inline constexpr Index accident_beyond = 5;

// Determinacy: Gauss-Newton leads back to L from nearby, without any eighth of fitted entries.
// Halves instead of eighths rejected what is determined well; without, one of 4,289 was false.
inline constexpr double nearby = 1e-3;      ///< relative change of the factors
inline constexpr double the_same = 1e-9;    ///< relative to L
inline constexpr double least_part = 1e-3;  ///< of a difference, on fitted entries
inline constexpr int determining_steps = 4;
inline constexpr double everything = 1e300;  ///< a threshold that keeps all
inline constexpr std::uint64_t parts = 8;
inline constexpr double half_fitted = 0.5;  ///< of a component's square: not asked above this

// Directions of a row.
inline constexpr Index direction_draws = 60;      ///< fibres for each component
inline constexpr Index all_columns_below = 4000;  ///< few enough to take every fibre
inline constexpr double no_direction = 1e-9;      ///< square of one that adds little to L
inline constexpr double most_leverage = 0.8;      ///< at 1 an entry decides about a direction alone
inline constexpr double no_singular_value = 1e-10;  ///< of the largest
inline constexpr double nearly_parallel = 0.9;      ///< cosine of components that can mix

// Outliers that have something in common.
inline constexpr std::size_t listed_outliers = std::size_t{1} << 20;  ///< 16 MiB
inline constexpr double largest_position = 0x1p53;  ///< that a double, as processes send it, holds
inline constexpr std::size_t most_pairs = 4'000'000;  ///< sorting more took most of a run's time
inline constexpr std::size_t few_ratios = 4;     ///< more of one ratio than this are no accident,
inline constexpr double hardly_accident = 1e-3;  ///< nor are those expected less often than this
inline constexpr double few_in_row = 3;          ///< outliers that any row fits
inline constexpr double many_of_a_value = 0.05;  ///< share of outliers with the value of another
}  // namespace certificate

}  // namespace sunder::robust::levels
