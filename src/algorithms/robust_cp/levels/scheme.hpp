#pragma once
/// The levels of the nested scheme.

#include "algorithms/robust_cp/levels/shared.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::robust::levels {

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

/// The length of a description (comparison.cpp). By hand.
namespace description {
inline constexpr double sigma_step = 1.25;  ///< between the sigmas that are tried,
inline constexpr int sigmas = 93;           ///< which reach down to 1e-9 of the range
}  // namespace description

}  // namespace sunder::robust::levels
