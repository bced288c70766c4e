#pragma once
/// The levels of the solver for noisy data (noise/). Where nothing else is said, they are those of
/// the NumPy prototype that was measured on planted tensors, fluorescence spectra and traffic.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::noise {

// The model.
inline constexpr double wide_deviation = 3;  ///< of wide inliers, in those of the others
inline constexpr double first_outlier_share = 0.1;
inline constexpr double least_outlier_share = 1e-4;
inline constexpr double most_outlier_share = 0.7;
inline constexpr double first_wide_share = 0.1;
inline constexpr double least_range = 10;  ///< of outliers, in standard deviations of the noise
/// Of the density of outliers that is spread evenly over their range: what was never seen remains
/// possible.
inline constexpr double even_share = 0.1;
inline constexpr double resolution = 5e-4;    ///< of a large entry,
inline constexpr double large_entry = 0.9;    ///< which is this quantile of |T - median|
inline constexpr double near_resolution = 4;  ///< of its variance: noise so small was not seen
inline constexpr int resolution_rounds = 10;
inline constexpr double finer_by = 0.7;          ///< of the variance: less is not worth a round
inline constexpr double finest_step = 1.0 / 16;  ///< of the variance, in one round
inline constexpr double least_variance = 1e-12;  ///< relative to the first estimate

// Estimation of the noise from the sums of a pass.
inline constexpr double slice_prior = 20;  ///< entries of average variance, added to each slice
inline constexpr double most_slice_change = 10;  ///< in one step
inline constexpr int density_steps = 8;          ///< of expectation maximisation
/// Relative change of the shares and the variance at which they end: it moves the likelihood by
/// less than a thousandth of what decides.
inline constexpr double settled_density = 1e-4;
inline constexpr double many_outliers = 2000;  ///< with fewer the density is smoothed more
inline constexpr int smoothings = 4;
inline constexpr int smoothings_if_few = 12;
/// Within this many standard deviations nothing tells outliers from noise; their density falls to
/// zero from three to two (the zero assumption of Efron 2004).
inline constexpr double bulk_begins = 2;
inline constexpr double bulk_ends = 3;
/// Slopes of log density below this, in units of 1 / sigma, are ignored: errors that replace
/// entries rather than add to them do not move with L.
inline constexpr double gentle_slope = 0.15;
inline constexpr double fewest_in_bin = 20;    ///< weights, for the variance at one size of |L|
inline constexpr double trusted_in_bin = 1e4;  ///< more do not count more
inline constexpr int growth_rounds = 4;        ///< of reweighted least squares

// Steps of the factors.
inline constexpr double first_damping = 1e-4;
inline constexpr double least_damping = 1e-6;
inline constexpr double most_damping = 10;
inline constexpr double damping_falls = 3;
inline constexpr double damping_rises = 10;
inline constexpr double allowed_loss = 2e-2;      ///< nats for each entry: more is a failed step
inline constexpr double least_information = 0.5;  ///< of the weights' own, in the curvature
inline constexpr double least_slice_information = 1e-6;  ///< of the largest slice
inline constexpr double slow_progress = 0.3;             ///< of the gain of the step before
inline constexpr int exact_steps = 3;       ///< of conjugate gradients on the weights themselves
inline constexpr double enough_gain = 0.1;  ///< nats for each unknown: below it the fit ends

// The pass over the entries.
/// Few enough for sums over columns in single precision, and enough that adding them costs little.
inline constexpr Index entries_of_chunk = 16384;
inline constexpr Index short_fibres = 256;  ///< neighbouring modes of no more together are one
/// Entries that the sums by |L| look at, about: 24 bins of so many have a mean log variance that is
/// known to a tenth of `signal_promise`.
inline constexpr double signal_sample = 16384;
inline constexpr Index few_rows = 64;  ///< all count

// Counts.
/// Of a count of one, or of the mean of L if that is less: below it the mean of the counts bends
/// away from L, and stays positive.
inline constexpr double count_bend = 0.1;
/// Units, exceeded by a tenth of the entries: a normal density serves as well for larger counts.
inline constexpr double large_count = 200;
/// The variance of counts over their mean is 1 if they are of a Poisson distribution. What is taken
/// for errors lowers it a little, and what L does not explain raises it.
inline constexpr double least_dispersion = 0.8;
inline constexpr double most_dispersion = 1.25;
inline constexpr double deviation_of_rounding = 0.28;  ///< units: 1 / sqrt(12)
inline constexpr double whole_count = 1e-9;            ///< relative deviation from a whole number

// Which noise models pay.
inline constexpr double signal_promise = 0.008;  ///< nats for each entry, by bins of |L|
inline constexpr double signal_gain = 0.03;      ///< nats that dependence on |L| must save
inline constexpr double wide_gain = 0.002;       ///< and wide inliers
inline constexpr double any_loss = 1e9;  ///< nats that a family may cost which was asked for

inline constexpr double wide_promise = 0.003;  ///< tolerance of the comparison without a pass
inline constexpr double even_promise = 0.003;
inline constexpr int density_trial = 20;  ///< steps of expectation maximisation

inline constexpr double whole_if_within = 1.5;  ///< times the entries of a core

// The tournament.
inline constexpr double part_entries = 27000;  ///< 30^3: enough for rank 10
inline constexpr double least_part = 9000;
inline constexpr double worth_a_part = 1.3;  ///< times as many entries in the core
inline constexpr int tournament_steps = 4;   ///< for every start
inline constexpr int final_steps = 8;        ///< for the leaders
inline constexpr int core_steps = 12;
inline constexpr int richer_steps = 8;
inline constexpr int constrained_steps = 16;
inline constexpr std::size_t finalists = 3;
inline constexpr double hopeless = 0.5;      ///< nats for each entry behind the best
inline constexpr int steps_of_losers = 2;    ///< after which those so far behind end
inline constexpr double near_rival = 0.1;    ///< nats: farther behind, it is no rival
inline constexpr double same_nats = 0.02;    ///< two tries that came to the same
inline constexpr double same_model = 0.1;    ///< relative distance of two L, on a part under noise
inline constexpr double same_in_errors = 3;  ///< or in expected errors of L, if that is more
inline constexpr double clear_gap = 0.02;  ///< nats for each entry: the rival explains clearly less
/// Where several starts agree, but leave structure: a rival this near is one nevertheless.
inline constexpr double gap_if_agreed = 4e-3;
inline constexpr double some_errors = 0.05;  ///< of the entries
inline constexpr double uneven = 3;          ///< variance of errors in slices over that by chance
inline constexpr int least_surplus = 4;
inline constexpr Index full_side = 30;  ///< of the part: a fifth of it is the most surplus
inline constexpr double patient_width = 20;
inline constexpr double generous_width = 50;
inline constexpr double generous_floor = 0.95;  ///< of the entries stay inside
inline constexpr int generous_tries = 6;
inline constexpr int parts_if_uneven = 2;
inline constexpr double parallel = 0.6;  ///< smallest eigenvalue of the cosines of components

// A component more, from what is left, and back to the rank.
inline constexpr int challenges = 3;  ///< on the core, while they improve the fit
inline constexpr int respawns = 4;
inline constexpr double same_leader = 4e-3;  ///< nats for each entry: starts that came to the same
/// Nats for each entry, and relative distance of L: where components are nearly parallel, the few
/// steps of a tournament end as far from the optimum.
inline constexpr double nearly_leader = 0.05;
inline constexpr double nearly_same = 0.02;
inline constexpr int enough_leaders = 3;      ///< starts that came to the same: nothing is missing
inline constexpr double respawn_gain = 0.01;  ///< nats for each entry: less is no reason to go on
inline constexpr double respawn_width = 6;    ///< standard deviations of the noise
inline constexpr double respawn_quantile = 0.9;  ///< of |residuals|,
inline constexpr double respawn_reach = 2;       ///< and times that, where larger ones count

// Values that recur.
inline constexpr double least_atom = 2e-3;     ///< of the entries have this very value,
inline constexpr double more_than_beside = 5;  ///< times as many as have a value beside the end,
inline constexpr int values_beside = 5;        ///< of which there are these
inline constexpr double more_than_usual = 20;  ///< times as many as have a usual value
inline constexpr double continuous = 1.5;      ///< entries that share a value, on average
inline constexpr double near_values = 10;      ///< different values next to zero,
inline constexpr double many_values = 100;  ///< of so many in whole numbers that are no rare counts
/// Of the zeros, where L is clearly not zero: then they stand for lost entries.
inline constexpr double lost_share = 0.2;
inline constexpr double mostly_errors = 0.5;  ///< of the other entries: the fit cannot tell
inline constexpr double clearly_nonzero = 4;  ///< standard deviations

// Where the energy is concentrated.
inline constexpr double clipped_energy = 0.995;  ///< quantile of |T|: larger entries are clipped
inline constexpr double concentrated =
    0.5;  ///< participation ratio; normal factors of rank 5 have .6
inline constexpr double evenly_drawn = 0.3;  ///< of the rows of a part, in expectation

// Large entries that are taken for errors.
/// Of the squares of L on inliers, over the share of inliers. Errors that do not depend on L leave
/// it at 1.
inline constexpr double least_support = 0.7;
inline constexpr double first_proportion = 0.03;  ///< of the noise to the signal
inline constexpr int proportional_steps = 16;

// Rows that rest on a few entries.
/// Entries without error that determine a row, for each component. With fewer, another row that
/// goes through some of the errors explains nearly as many. Rows that are a hundred times as large
/// as others leave 3; normal factors of 60 rows leave 400, and narrow peaks 50.
inline constexpr double fewest_telling = 6;
inline constexpr double expected_errors = 1;  ///< among these entries: without any, few suffice
inline constexpr int leverage_draws = 4096;  ///< for each mode: the ratio is known to a few percent
inline constexpr double least_direction = 1e-9;  ///< of the largest eigenvalue of a Gram matrix

// When noise is an explanation.
inline constexpr double noise_structure = 1.3;  ///< singular value over that of noise, at most
/// Of the entries: with fewer errors an exact solver would have found a model without noise.
inline constexpr double few_errors = 0.5;
/// Where what is left has structure, more errors (of the entries) or more noise (in spreads of the
/// data) are a reason to try exact models first. Blocks of errors in data without noise (46% of the
/// entries) ended as errors or as noise with a wrong L otherwise; measured spectra have far less.
inline constexpr double hardly_any_errors = 0.25;
inline constexpr double little_noise = 0.1;
/// Spreads of the data: noise that is as large as the data explains any of them, as it did 70% of
/// errors in a tensor of rank 25. Exact models are tried first.
inline constexpr double much_noise = 0.5;
inline constexpr double most_noise = 2;          ///< spreads of the data: more explains nothing
inline constexpr double hardly_noise = 0.02;     ///< spreads: the fit may be exact but for its rows
inline constexpr int tensor_steps = 8;           ///< on all of T, at most
inline constexpr double worse_on_tensor = 0.02;  ///< nats for each entry, than on the core

}  // namespace sunder::robust::levels::noise
