#pragma once
/// The levels, thresholds and counts that the certificate and the nested scheme decide by, each
/// with its unit and its reason. "By hand" means: chosen by hand on planted tensors and never
/// studied by itself. All of them together gave no false certificate in the campaigns of
/// docs/reliability.md.

#include <cstddef>

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels {

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

/// Slices (conditions/slices.cpp).
namespace slices {
/// The least share of the entries of a slice that must be fitted. By hand: rows that were wrong had
/// less, and the most corrupted tensors that are still recovered (70%) have far more.
inline constexpr double least_share = 0.08;
}  // namespace slices

/// Components (conditions/components_borne_out.cpp).
namespace components {
/// Entries that are drawn for each component and law: a share is known to 0.025 by them.
inline constexpr Index draws = 400;
/// The least share of drawn entries that must be fitted. By hand.
inline constexpr double least_share = 0.05;
/// Fitted entries for each unknown above which a component is no accident. By hand.
inline constexpr double entries_per_unknown = 3;
/// Of the largest entry of a column: smaller ones count as zero. By hand, above rounding (1e-13).
inline constexpr double zero_entry = 1e-8;
/// Of the norm of the largest component: smaller components are rounding. By hand.
inline constexpr double negligible = 1e-10;
}  // namespace components

/// Contradicting rows (conditions/contradiction.cpp). By hand.
namespace contradiction {
/// What fits as much of a slice cannot be contradicted by the rest of it.
inline constexpr double safe_share = 0.5;
/// Rows of a mode that are looked at, the weakest ones: each costs a regression.
inline constexpr std::size_t most_rows = 64;
/// The share of the unfitted entries that another row must fit,
inline constexpr double least_share = 0.2;
/// and their number: 3 r + 5, of which it fits r whatever they are.
inline constexpr Index entries_per_unknown = 3;
inline constexpr Index entries_beyond = 5;
}  // namespace contradiction

/// Directions (conditions/directions.cpp). By hand.
namespace directions {
inline constexpr Index draws_per_component = 60;   ///< fibres
inline constexpr Index all_columns_below = 4000;   ///< few enough to take every fibre
inline constexpr double negligible_square = 1e-9;  ///< of a direction: it adds 3e-5 of L at most
inline constexpr double most_leverage = 0.8;    ///< at 1 an entry decides about a direction alone
inline constexpr double least_share = 0.05;     ///< of observed entries, fitted in a direction
inline constexpr double nearly_parallel = 0.9;  ///< cosine from which components can mix
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
/// Other pairs with the same ratio that are no accident, whatever their number,
inline constexpr std::size_t repeats = 4;
/// or the expected number of accidents below which fewer are none.
inline constexpr double accidents = 1e-3;
/// Entries on which a row hangs that fit it whatever they are.
inline constexpr double few_entries = 3;
/// The share of the outliers with a common value from which agreement can be an accident.
inline constexpr double share_of_twins = 0.05;
/// How many times the usual evidence is asked for where outliers are copies of others, and where
/// they are whole numbers.
inline constexpr double evidence_with_copies = 2;
inline constexpr double evidence_with_whole_numbers = 3;
/// Entries of S that are kept to be searched: 16 MiB.
inline constexpr std::size_t most_kept = std::size_t{1} << 20;
}  // namespace outliers

/// The nested scheme (robust_cp.cpp, core_schedule.hpp, comparison.cpp). By hand.
namespace scheme {
/// The side of the scout's core, as if of order 3, and at least this many for each component. It is
/// worth its time only if it has at most half the entries of the usual core.
inline constexpr Index scout_side = 30;
inline constexpr Index scout_side_per_component = 4;
inline constexpr Index scout_saves = 2;
/// Cores in which a fit whose residuals look like noise is not tried again: the next core decides.
inline constexpr int cores_until_noise = 2;
/// A core grows by a half in every mode.
inline constexpr Index growth_numerator = 3;
inline constexpr Index growth_denominator = 2;
/// Attempts on all of T, usually and where one explains T far better than another.
inline constexpr int attempts_on_whole = 2;
inline constexpr int attempts_if_promising = 3;
/// The entries to be sampled are counted from this attempt on.
inline constexpr int counted_attempt = 2;
/// Of the norm of L. Fits that are led astray differ by as much as L itself, fits under noise by
/// far less.
inline constexpr double same_model = 0.3;
/// Nats for each entry: a model that gains more explains T far better.
inline constexpr double clear_gain = 0.05;
/// Entries of the longest mode of a core that are not for unknowns, where the rank is chosen, and
/// entries for each component.
inline constexpr Index rank_choice_beyond = 10;
inline constexpr Index rank_choice_per_component = 2;
}  // namespace scheme

}  // namespace sunder::robust::levels
