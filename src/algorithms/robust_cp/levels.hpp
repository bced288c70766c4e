#pragma once
/// Every level, threshold and count that robust-cp decides by, with its unit and its reason. "By
/// hand" means: chosen by hand on planted tensors and never studied by itself. Measurements named
/// here are those of docs/methods/robust-cp.md. A spread is 1.4826 median absolute deviations of
/// the data of a core; q is the lower quartile of |residuals|; rms means root mean square.

#include <cstddef>
#include <cstdint>

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// Spreads. Residuals below this are rounding, of which solved cores leave 1e-13.
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
/// Flops for each entry and component: of a residual, and with the products of all modes.
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
/// The least extent of a core is 2 r + 10: twice the unknowns of a row, and some. By hand.
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
inline constexpr int sweeps = 80;          ///< of each, at most; by hand
inline constexpr double tolerance = 1e-5;  ///< change of the relative cost that ends one; by hand
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
inline constexpr int lanczos_steps = 60;      ///< by hand
inline constexpr double lanczos_end = 1e-12;  ///< relative length, in an invariant subspace
}  // namespace gauss_newton

/// The ladder of starts (core/core_solver).
namespace ladder {
inline constexpr int rungs = 3;
/// Lower quartiles of |residual| that the first scale may have: 6 is quick, 20 is for blocks.
inline constexpr double cheap_width = 6;
inline constexpr double patient_width = 20;
inline constexpr Index surplus_part = 5;   ///< a fifth and two fifths of the median extent,
inline constexpr Index least_surplus = 4;  ///< at least 4 and 8 components; by hand
/// Shares of fitted entries are compared in thousandths, then the deviation of the inliers decides.
inline constexpr double share_steps = 1000;
inline constexpr int approach_steps = 8;  ///< from a fit under noise down to rounding; by hand
inline constexpr double approach = 0.3;   ///< of the limit of inliers, at most, in each step
}  // namespace ladder

/// Standard deviations beyond which a residual is in S, where no noise model was fitted.
inline constexpr double usual_noise_width = 4;

/// Whether a core was solved exactly, or has noise (core/exact/core_verdict).
namespace verdict {
inline constexpr double entry_at_work = 1e-4;  ///< of rms(L): smaller ones say nothing; by hand
inline constexpr double row_at_work = 1e-6;    ///< of a factor's norm: has unknowns; by hand
/// Share of fitted entries above which a core is exact, and of entries between rounding and
/// outliers below which it is. No certificate was false in 64 fresh instances of every kind.
inline constexpr double least_fitted_share = 0.15;
inline constexpr double most_between = 0.02;
/// Of rounding_level rms(L), the rms of fitted entries. At 1 an L with an error of 5e-6 passed, as
/// S was a hundred times larger than L and set the unit.
inline constexpr double fitted_rms = 0.2;
inline constexpr double least_noise = 1e-5;        ///< spreads: a deviation below is rounding,
inline constexpr double most_noise = 0.25;         ///< and above this the data; by hand
inline constexpr double least_inlier_share = 0.2;  ///< of residuals, within 3 sigma; by hand
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

/// A rank above the true one (core/exact/surplus, core/core_solver). By hand.
namespace surplus {
inline constexpr int settle_rounds = 10;  ///< of projecting factors onto what others tell apart
inline constexpr double indistinguishable =
    1e-10;                                       ///< eigenvalue of a Gram product, of the largest
inline constexpr double hint_per_unknown = 1.5;  ///< entries: a dropped component may still be one
inline constexpr double least_curvature = 1e-3;  ///< eigenvalue of J'J, of the largest
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

/// The nested scheme (robust_cp.cpp, core_schedule.hpp, comparison.cpp). By hand.
namespace scheme {
// A scout core, one cheap start and fewer columns brought 100^3 from two seconds to a tenth.
inline constexpr Index scout_side = 30;               ///< of the scout's core, as if of order 3,
inline constexpr Index scout_side_per_component = 4;  ///< at least this many for each component
inline constexpr Index scout_saves = 2;         ///< times its entries are those of the usual core
inline constexpr int cores_until_noise = 2;     ///< where noise ends the starts: the next decides
inline constexpr Index growth_numerator = 3;    ///< a core grows by a half in every mode, since two
inline constexpr Index growth_denominator = 2;  ///< of one size could agree on a wrong model
inline constexpr int attempts_on_whole = 2;     ///< on all of T, usually,
inline constexpr int attempts_if_promising = 3;  ///< and where one is far better than another
inline constexpr int counted_attempt = 2;        ///< from which on the entries to be sampled count
/// Of the norm of L. Fits led astray differ by as much as L itself, fits under noise by far less.
inline constexpr double same_model = 0.3;
inline constexpr double clear_gain = 0.05;  ///< nats for each entry: explains T far better
}  // namespace scheme

// The certificate. All of its levels together gave no false certificate in the campaigns of
// docs/reliability.md.

/// Of the mean square of a row of a factor: rows below are zero. The square of 1e-5, far above
/// rounding (1e-13) and far below any row that contributes a fitted digit. By hand.
inline constexpr double zero_row_square = 1e-10;

/// Units of rounding that T - L has at most for each root of (rank + 1), where T is stored or the
/// pass computed in single precision. By hand: rounding itself stays below 10 of them.
inline constexpr double rounding_units = 40;
/// What rounding does to the ratio of two entries, at most, in double precision. By hand.
inline constexpr double ratio_rounding = 1e-7;

/// The share of entries that must be fitted, relative to that of the whole tensor or of the median
/// slice: slices, components and directions alike. A wrong row is fitted by accident alone, which
/// is far less than a quarter of the usual share. By hand.
inline constexpr double share_of_usual = 0.25;

namespace slices {  // conditions/slices.cpp
/// The least share of the entries of a slice that must be fitted. By hand: rows that were wrong had
/// less, and the most corrupted tensors that are still recovered (70%) have far more.
inline constexpr double least_share = 0.08;
}  // namespace slices

namespace components {  // conditions/components_borne_out.cpp
/// Entries that are drawn for each component and law: a share is known to 0.025 by them.
inline constexpr Index draws = 400;
inline constexpr double least_share = 0.05;  ///< of drawn entries that must be fitted; by hand
}  // namespace components

/// Directions (conditions/directions.cpp). By hand.
namespace directions {
inline constexpr Index draws_per_component = 60;   ///< fibres
inline constexpr Index all_columns_below = 4000;   ///< few enough to take every fibre
inline constexpr double negligible_square = 1e-9;  ///< of a direction: it adds 3e-5 of L at most
inline constexpr double most_leverage = 0.8;  ///< at 1 an entry decides about a direction alone
/// Of the observed entries, fitted in a direction. The number of fitted entries decides, so that
/// a row that errors outweigh by size is not refused; nothing at all must not support it.
inline constexpr double least_share = 1e-4;
inline constexpr double nearly_parallel = 0.9;        ///< cosine from which components can mix
inline constexpr double zero_singular_value = 1e-10;  ///< of the largest
}  // namespace directions

/// Determinacy by the fitted entries (determinacy.cpp). By hand.
namespace determinacy {
inline constexpr double nearby = 1e-3;      ///< relative change of the factors to start from
inline constexpr double same = 1e-9;        ///< of the norm of L: the same L again
inline constexpr double least_part = 1e-3;  ///< of a difference that remains, on fitted entries
inline constexpr int steps = 4;             ///< of Gauss-Newton, which converges quadratically
inline constexpr std::uint64_t parts = 8;   ///< no eighth of the entries may decide alone
/// The share of a component's square in a slice, on fitted entries, from which nothing is tried.
inline constexpr double safe_share = 0.5;
}  // namespace determinacy

/// What outliers have in common (outliers.cpp). By hand.
namespace outliers {
/// Pairs of outliers in fibres that are looked at; more would need more than 64 MB.
inline constexpr std::size_t most_pairs = 4'000'000;
inline constexpr std::size_t repeats = 4;       ///< other pairs of one ratio that are no accident,
inline constexpr double accidents = 1e-3;       ///< nor are fewer that are expected less often
inline constexpr double few_entries = 3;        ///< that a row fits whatever they are
inline constexpr double share_of_twins = 0.05;  ///< of outliers: agreement can be an accident
/// Times the usual evidence where outliers are copies of others, or whole numbers.
inline constexpr double evidence_with_copies = 2;
inline constexpr double evidence_with_whole_numbers = 3;
/// Entries of S that are kept to be searched: 16 MiB.
inline constexpr std::size_t most_kept = std::size_t{1} << 20;
}  // namespace outliers

}  // namespace sunder::robust::levels
