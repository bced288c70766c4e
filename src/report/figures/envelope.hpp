#pragma once
/// Reduction of long curves to a few points.

#include <cstddef>
#include <span>
#include <vector>

namespace sunder {

/// Selects at most `limit` points (4 or more) of the curve. Stretches of equal length are reduced
/// to their smallest and largest value, in order, so that no spike is lost. A stretch without a
/// finite value keeps one point, which preserves the gap.
std::vector<std::size_t> envelope(std::span<const double> curve, std::size_t limit);

/// Returns the values at those places.
std::vector<double> picked(std::span<const double> values, std::span<const std::size_t> places);

}  // namespace sunder
