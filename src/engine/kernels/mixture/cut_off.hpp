#pragma once
/// Entries that were cut off at an end of their range.

#include <cmath>
#include <numbers>

namespace sunder::kernels {

/// Standard deviations beyond the end: a value that lies so far beyond it is cut off for certain
/// (but for .1%), and the entry tells nothing more.
inline constexpr double surely_cut_off = 3;

/// The mean of a standard normal variable that is known to exceed c: what the noise of an entry
/// was, on average, if the value without noise lies c below the end that it was cut off at. The
/// residual itself, which is c, would leave the noise beyond the end out of account, and L would be
/// too small near the end.
inline double mean_beyond(double c) {
  constexpr double far = 6;  // erfc loses its digits
  if (c > far) return c + 1 / c - 2 / (c * c * c);
  return std::sqrt(2 / std::numbers::pi) * std::exp(-0.5 * c * c) /
         std::erfc(c / std::numbers::sqrt2);
}

}  // namespace sunder::kernels
