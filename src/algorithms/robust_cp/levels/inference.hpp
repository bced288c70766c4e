#pragma once
/// The levels of what is said about a fit under noise (inference/). z is a residual over its
/// standard deviation. Where nothing else is said, they are those of the NumPy prototype that was
/// measured on planted tensors with normal noise.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::inference {

// The histogram of z.
inline constexpr double z_step = 0.05;   ///< about what residual bins resolve around zero
inline constexpr double z_reach = 24;    ///< farther out, residuals share a bin
inline constexpr int spread_rounds = 3;  ///< of sharing a coarse bin between the fine ones in it

// The distribution of z under noise alone (an empirical null).
inline constexpr double fewest_entries = 500;  ///< with fewer its scale is known to 5% at best
inline constexpr double fine_until = 4;        ///< z: bins of a quarter up to here,
inline constexpr double fine_bin = 0.25;
inline constexpr double coarse_growth = 1.25;  ///< each wider than the one before, beyond
/// The two sides of zero differ by chance in so many standard deviations of their counts, on
/// average (sqrt(2 / pi)); what one side has beyond that are errors of one sign.
inline constexpr double usual_imbalance = 0.8;
inline constexpr double slack = 2;      ///< standard deviations by which a count may rise outwards
inline constexpr double core_ends = 2;  ///< z: noise decides here, unless errors are symmetric
inline constexpr double share_ends = 1.5;  ///< z: the share of noise is counted up to here
/// Nats that tails, or another number of degrees of freedom, must save: one unknown saves more by
/// chance in 5% of the cases. Tails that are not there cost little power.
inline constexpr double clear_gain = 2;
inline constexpr double least_scale = 0.3;  ///< of z: a null outside is no estimate
inline constexpr double most_scale = 3;
inline constexpr int scale_steps = 24;  ///< of golden section: the scale is known to 2e-5

// Local false discovery rates.
inline constexpr double smoothing = 0.2;     ///< z: the width of a normal kernel,
inline constexpr double wide_smoothing = 1;  ///< and of one where entries are rare,
inline constexpr double rare_beyond = 4;     ///< which is beyond this z
inline constexpr double chance = 1;          ///< standard deviations of an excess that are chance
inline constexpr double margin = 0.92;  ///< of the level that is asked for: rates are estimates
/// An entry that is as likely noise as an error is no discovery, however few others there are.
inline constexpr double most_local_rate = 0.5;

// The study of ranks. Prototype: 120 of 120 planted tensors of 32 kinds, fluorescence and dorrit.
inline constexpr Index core_side = 25;         ///< of the part that is fitted, as if of order 3
inline constexpr double most_entries = 60000;  ///< of that part, where short modes are kept whole
/// Percent. Core consistency of the right rank was at least 97.8 where noise is given back, and of
/// one component too many 85 and less on measured spectra.
inline constexpr double least_consistency = 90;
/// Squared cosine of a component with a copy whose rows are zero or constant: blocks of errors have
/// 0.83 and more, other components 0.36 to 0.70.
inline constexpr double box = 0.85;
/// Of the rows of every mode: what is constant on so many is an offset and no block. By hand.
inline constexpr double nearly_all_rows = 0.9;
inline constexpr double starts_agree = 0.9;  ///< least cosine of components between two starts
inline constexpr int patience = 2;           ///< fits in a row without a shorter description
inline constexpr int every_rank = 8;         ///< up to which all ranks are fitted; from there on,
inline constexpr double rank_grows = 1.4;  ///< each is so many times the one before, then bisection
inline constexpr int most_rank = 48;       ///< whatever the part would allow
inline constexpr double entries_per_unknown = 4;  ///< of the part: with fewer no rank is judged
inline constexpr int rank_steps = 12;             ///< of the fit from each start
inline constexpr int half_steps = 8;              ///< of a fit of half of the entries
/// Noise in spreads of the data, below which a model without noise is looked for: four times the
/// resolution of the fits.
inline constexpr double exact_noise = 2e-3;
inline constexpr int exact_trial = 16;  ///< components of a model that may fit the part to rounding
inline constexpr int exact_reach = 4;   ///< times the recommended rank, up to which it is sought

// Standard errors.
inline constexpr Index most_unknowns = 2000;  ///< of a dense covariance, which is 32 MB
inline constexpr double most_flops = 2e9;     ///< of its sums over the entries: about a second
inline constexpr double ridge = 1e-12;  ///< of the mean curvature: rows that nothing determines
/// Of the mean curvature: a smaller pivot shows a change of L that no entry speaks against. The
/// ridge leaves one of 1e-12 to 1e-8, and components of a hundredth of the largest one 1e-3.
inline constexpr double least_pivot = 1e-6;
inline constexpr double slope_step =
    0.25;  ///< standard deviations: the width of a bin of residuals
/// Of the mean weight. Errors far from the noise leave 1; beyond these the noise model is wrong.
inline constexpr double least_slope = 0.3;
inline constexpr double most_slope = 1.5;

// The evidence for a verdict under noise. Its limits stand in the tables of
// certificate/noise_verdict.cpp.
inline constexpr Index verdict_side = 30;  ///< of the part, as if of order 3
/// Nats for each unknown that a further component must save: noise alone saves about half a one.
inline constexpr double worth_another = 1;
inline constexpr int spectral_starts = 3;  ///< of a rank-one fit of the residuals,
inline constexpr int spectral_steps = 15;  ///< of alternating least squares each
inline constexpr unsigned spectral_seed = 1;
inline constexpr double least_excess_degrees =
    0.5;  ///< of freedom beyond 2: the variance is finite

}  // namespace sunder::robust::levels::inference
