#pragma once
/// The levels of row regressions under noise, those of the NumPy prototype where nothing is said.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::noisy_rows {

// Which columns a regression sees.
inline constexpr Index columns = 100;  ///< for each component
inline constexpr double even_columns =
    0.5;  ///< of them are drawn evenly, the others where a component is large
inline constexpr Index side = 60;  ///< rows of the other modes, in a repair

// The regression of one row.
inline constexpr double first_width = 3;  ///< root mean squares of the residual of least squares,
inline constexpr double first_reach = 8;  ///< or upper quartiles of it, whichever is less
inline constexpr double upper_quantile = 0.75;
inline constexpr double last_width =
    2.7;                                 ///< standard deviations: 95% efficient under normal noise
inline constexpr double cost_width = 4;  ///< standard deviations
inline constexpr int patient_steps = 18;
inline constexpr int quick_steps = 8;
inline constexpr int steps_at_last = 3;  ///< with the last scale
inline constexpr double fastest_pace = 0.4;
inline constexpr double slowest_pace = 0.85;
inline constexpr double settled = 1e-8;  ///< squared relative change
inline constexpr double ridge = 1e-9;    ///< of the trace of the normal matrix
inline constexpr double inner_quantile = 0.35;
inline constexpr double inner_of_normal = 0.4538;  ///< that quantile of |x|, x standard normal

// Rows through a few entries.
inline constexpr int draws = 40;  ///< some hold no error: 17% of five entries at 30% errors
inline constexpr double element_ridge = 1e-8;
inline constexpr double element_width = 12;  ///< standard deviations, the first scale
inline constexpr double doubtful = 0.5;      ///< robust deviations above the usual cost

// Repairs.
inline constexpr double worth_a_repair =
    5;  ///< entries that the other row explains, and this one does not
inline constexpr int repair_rounds = 3;
/// A row that was not seen before starts with its own variance if that is this many times the
/// usual: otherwise all of its entries would be errors.
inline constexpr double far_noisier = 9;

}  // namespace sunder::robust::levels::noisy_rows
