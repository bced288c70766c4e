#pragma once
/// When a slice counts as bad. The levels are those of the NumPy prototype, which flagged all of
/// 200 planted bad samples and none of 800 good ones.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::casewise {

inline constexpr Index fewest_slices = 5;     ///< of a mode: fewer have no usual slice
inline constexpr double few_inliers = 0.6;    ///< of the median slice's share
inline constexpr double clear = 5;            ///< standard deviations of a slice among the others
inline constexpr double least_spread = 0.25;  ///< of log variances: slices may differ that much
inline constexpr double prior = 20;           ///< entries of usual variance, added to each slice

// Why a slice is bad.
inline constexpr std::size_t most_examined = 64;  ///< flagged slices that are read for a reason
inline constexpr Index examined_side = 64;        ///< rows of each of the other modes, at most
inline constexpr double clipped_at = 2.5;         ///< median residuals: bad cells count no more
/// Of what noise leaves of a slice's squares, explained by as many components as L has: random
/// numbers have none, and the planted foreign models have 0.6 and more.
inline constexpr double has_structure = 0.3;
inline constexpr double too_small_to_tell = 0.8;  ///< share that components explain of mere noise

}  // namespace sunder::robust::levels::casewise
