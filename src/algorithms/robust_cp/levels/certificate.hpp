#pragma once
/// The levels of the certificate (certificate/). docs/certificate.md has the figures of the
/// campaigns that try to refute them together; false certificates are among these figures.

#include <cstddef>
#include <cstdint>

#include "algorithms/robust_cp/levels/shared.hpp"
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

namespace slices {  // conditions/slices.cpp
/// The least share of the entries of a slice that must be fitted. By hand: rows that were wrong had
/// less, and the most corrupted tensors that are still recovered (70%) have far more.
inline constexpr double least_share = 0.08;
}  // namespace slices

namespace residuals {  // rounding.cpp
/// Units of rounding that a fitted entry may leave, in double precision. Solved models leave some
/// hundred at most where rows are hardly determined; noise of 1e-12 of L is ten thousand.
inline constexpr double units = 1000;
inline constexpr std::size_t draws = 2000;  ///< entries: noise shows in nearly all of them
/// Of the fitted ones. Of a million entries of S a few are fitted by accident; a component that is
/// too weak to show in single entries is at work on more than a hundredth.
inline constexpr double most = 0.99;
}  // namespace residuals

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
/// At 1 an entry decides about a direction alone. At 0.99 the others have a tenth of its size,
/// which is far above rounding: on a box of 3 x 3 x 3, one of nine entries often has more than 0.8.
inline constexpr double most_leverage = 0.99;
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
