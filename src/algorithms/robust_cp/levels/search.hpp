#pragma once
/// The levels of the search for models that fit more entries (consensus/). By hand where nothing is
/// said.

#include <cstddef>

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels {

inline constexpr double tiny_length = 1e-300;  ///< keeps quotients finite

/// Rival rows (rival_rows.cpp).
namespace rivals {
inline constexpr double least_design = 1e-9;    ///< of the largest |K_k|: smaller ones have no vote
inline constexpr Index largest_drawn_rank = 8;  ///< above it random rows hardly ever hit
inline constexpr double flops = 8;              ///< for each entry and r^3, in the count of flops
inline constexpr Index regression_columns = 600;  ///< for robust regression, at least,
inline constexpr Index columns_per_unknown = 60;  ///< and for each component
/// Entries that a row fits among the columns of a first look, and for each component. A rival fits
/// as many, give or take a fifth, and accident about r. At 40% a real one is missed less than once
/// in a thousand times.
inline constexpr Index first_fitted = 20;
inline constexpr Index first_fitted_per_unknown = 6;
inline constexpr double promising = 0.4;  ///< of what only the row fits: worth a second look
inline constexpr double least_fitted_share = 0.08;  ///< slices with less are refused anyway
inline constexpr Index worth_a_first_look = 4;      ///< times as many columns
/// The quantile of residuals that a regression on what a row leaves goes by: half of what a rival
/// must fit there.
inline constexpr double least_quantile = 0.06;
inline constexpr double most_quantile = 0.25;
inline constexpr double majority = 0.5;             ///< of what is left: one start finds it,
inline constexpr double found_by_regression = 0.6;  ///< and no row through drawn entries is needed
inline constexpr double agrees_in_part = 1.5;  ///< times what is left: more than a rival can fit
inline constexpr int draws = 48;               ///< of r entries each
inline constexpr std::size_t enough_to_compare = 128;  ///< entries for a first comparison
inline constexpr Index columns_of_hyperplane = 1024;   ///< that show the share in one
inline constexpr double wide = 50;                     ///< levels: a drawn row is only nearly right
inline constexpr double narrow_widths[] = {1, 1};      ///< levels, for least squares on the fitted
inline constexpr double wide_widths[] = {1000, 30, 1};
inline constexpr double another = 10;       ///< levels by which a rival's L differs somewhere
inline constexpr double orthogonal = 1e-5;  ///< cosine: above what regressions leave of a zero
inline constexpr int hyperplanes = 40;      ///< random ones that are looked at
inline constexpr Index columns = 2000;      ///< drawn evenly, for each row
inline constexpr Index columns_of_component = 300;  ///< and on the support of each component
inline constexpr double safe_margin = 0.02;       ///< of the entries, beyond what proves a row safe
inline constexpr std::size_t rows_at_once = 256;  ///< of a large tensor
inline constexpr double chance = 3;  ///< standard deviations of the difference of two counts
}  // namespace rivals

/// Dense boxes of S (dense_boxes.cpp).
namespace boxes {
inline constexpr std::size_t fewest_entries = 4;  ///< a rank-one box of 2 x 2 has as many
inline constexpr double least_density = 0.5;      ///< of S in a row of the box
inline constexpr double high_density = 0.75;
inline constexpr double near_top = 0.8;  ///< of the densest slice
inline constexpr int drawn_positions = 64;
inline constexpr std::size_t fibre_starts = 8;
inline constexpr int random_starts = 16;
inline constexpr Index positions_at_once = 2048;  ///< of a box, for the shares of its rows
inline constexpr int rounds = 16;
inline constexpr int rising_rounds = 2;
inline constexpr std::size_t most = 3;
inline constexpr double most_density = 0.999;
inline constexpr double least_fitted = 1e-3;  ///< of the entries, in the odds of an error
inline constexpr double stands_out = 4;       ///< standard deviations of a slice's share of S
inline constexpr double accident = 7;         ///< nats: once in a thousand tensors
}  // namespace boxes

/// Components in boxes, and the search as a whole.
namespace search {
inline constexpr Index largest_window = Index{1} << 21;  ///< entries: all of T where it has no more
inline constexpr int passes = 4;                         ///< over T, each after moves were taken
inline constexpr Index part_side = 64;  ///< of the part of a larger T where S is densest
inline constexpr std::size_t rows_of_component = 12;  ///< in the part that judges a new model
inline constexpr int most_new = 4;                    ///< components that are looked for in one box
inline constexpr int rounds = 8;                      ///< of moves
inline constexpr double most_flops = 4e9;             ///< of one search: some seconds
/// Steps of Gauss-Newton at the end, at most, on entries whose residual is below so many times that
/// of nearly all fitted ones: entries of S that are fitted by accident are not among them.
inline constexpr int polish_steps = 4;
inline constexpr double polish_width = 10;
inline constexpr double polish_progress = 0.5;  ///< of the residuals, at which another is worth it
inline constexpr int row_sweeps = 4;            ///< in a round
inline constexpr int heal_sweeps = 3;           ///< after a component was added
inline constexpr Index large_box = 4000;        ///< entries
inline constexpr double least_inside = 0.1;     ///< of a box's entries that its components must fit
inline constexpr double clear_majority = 0.6;   ///< of the entries: S has no model that fits more
/// Of the entries of a box. Components that fit more of them are found: the starts of a box solve
/// cores with as many errors.
inline constexpr double found_share = 0.25;
/// Entries for each unknown that they must fit as well: three components on 7 x 7 x 7 entries with
/// 45% errors, which leave three, were not found.
inline constexpr double found_per_unknown = 8;
/// Pairs of entries that are looked at in a mode of a box: some milliseconds.
inline constexpr Index most_pairs_in_box = Index{1} << 18;
/// Pairs of entries of S that are looked at in a mode: some tenths of a second.
inline constexpr Index most_pairs_of_sparse = Index{1} << 20;
/// Pairs of slices that a component makes proportional, on average: some are with 98%.
inline constexpr double shown_by_pairs = 4;
/// Of the entries where a component is at work, in S: with fewer, S holds the majority of a small
/// part of them at most, where it is a dense box.
inline constexpr double contested = 0.1;
inline constexpr double explained = 0.9;  ///< of the entries of a box: no more components needed
inline constexpr double small_component = 1e-3;  ///< of the largest: it may be superfluous
inline constexpr int fibre_tries = 30;           ///< entries whose fibres are tried as factors
inline constexpr Index votes = 600;              ///< columns in such a vote
inline constexpr double hint_per_unknown = 1;    ///< entries: more than that is no accident
}  // namespace search

/// Other starts (other_starts.cpp).
namespace other_starts {
inline constexpr int most_components = 8;  ///< of plain fits
inline constexpr int most_robust = 3;      ///< components of robust fits of lower rank
inline constexpr double least = 0.05;      ///< of the entries, that a start must fit
inline constexpr double most_flops = 8e9;  ///< of all starts together
inline constexpr double enough = 0.5;      ///< of the entries: no further start
inline constexpr double falling_levels[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-5};  ///< spreads
}  // namespace other_starts

/// Parallel components (merging.cpp).
namespace merging {
inline constexpr double parallel = 1e-7;  ///< sine of the angle: rounding of a solved core
inline constexpr double zero = 1e-9;      ///< of the largest singular value
}  // namespace merging

/// Components of a matrix on few rows (local_components.cpp).
namespace local_components {
inline constexpr int draws = 256;  ///< of r - 1 rows: enough where half of the rows agree, r <= 8
inline constexpr std::size_t kept = 12;       ///< directions of each mode
inline constexpr double zero = 1e-7;          ///< cosine: rounding of a solved core
inline constexpr double same = 1 - 1e-9;      ///< cosine of two directions that are one
inline constexpr double least_cosine = 1e-3;  ///< below it, a and b belong to two components
}  // namespace local_components

/// Rows that another row contradicts (open_rows.cpp, improvement.cpp).
namespace contradiction {
inline constexpr Index rows = 6;                  ///< of each mode
inline constexpr Index columns = 160;             ///< for each row, at least,
inline constexpr Index columns_per_unknown = 24;  ///< and for each component
inline constexpr double part = 0.25;  ///< of the unfitted entries, that another row fits,
inline constexpr Index beyond = 5;    ///< and 3 r + 5 of them
inline constexpr double share = 0.2;  ///< of the rows: S may follow another model
}  // namespace contradiction

/// Plain least squares (plain_fit.cpp).
namespace plain {
inline constexpr int steps = 60;  ///< of Gauss-Newton
inline constexpr double first_damping = 1e-6;
inline constexpr double least_damping = 1e-14;
inline constexpr double most_damping = 1;   ///< at which the fit ends
inline constexpr double more_damping = 30;  ///< after a step that raised the sum of squares
inline constexpr double less_damping = 10;  ///< after the others
inline constexpr double done = 1e-28;       ///< of the squares of the data: rounding
}  // namespace plain

}  // namespace sunder::robust::levels
