#pragma once
/// The levels of the fit of a core (core/).

#include <cstddef>
#include <cstdint>

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::robust::levels {

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
/// Of the deviation of inliers: steps on them that leave more, so many in a row, end the fit.
inline constexpr double idle_progress = 0.9;
inline constexpr int idle_steps = 3;
inline constexpr double converged = 1e-9;            ///< movement at which the fit ends
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

/// What counts as rounding in a core (core/core_solver, core/exact/residual_signs).
namespace rounding {
/// Of rms(L), the rms of fitted entries. Residuals below this are rounding: solved cores leave
/// 1e-13 of them, and 1e-9 where some rows are hardly determined. Larger ones are those of noise,
/// or of a component that is too small to show.
inline constexpr double no_doubt = 1e-8;
/// The largest singular value of the signs of such residuals, over that of independent ones, which
/// have 1.1 at most even in small cores.
inline constexpr double structured = 1.5;
}  // namespace rounding

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

}  // namespace sunder::robust::levels
