#pragma once
/// Long curves in few points.

#include <cstddef>
#include <span>
#include <vector>

namespace sunder {

/// Which at most `limit` points (4 or more) of the curve to keep: stretches of equal length are
/// reduced to their smallest and largest value, in order, so that no spike is lost. Stretches
/// without a finite value keep one point, and with it the gap.
std::vector<std::size_t> envelope(std::span<const double> curve, std::size_t limit);

/// The values at those places.
std::vector<double> picked(std::span<const double> values, std::span<const std::size_t> places);

}  // namespace sunder
