#pragma once
/// Long curves in few points.

#include <cstddef>
#include <span>
#include <vector>

#include "report/svg.hpp"

namespace sunder {

/// At most `limit` points (4 or more) of the curve: stretches of equal length are reduced to their
/// smallest and largest value, in order, so that no spike is lost. Stretches without a finite
/// value keep one point, and with it the gap.
std::vector<svg::Point> envelope(std::span<const svg::Point> points, std::size_t limit);

}  // namespace sunder
