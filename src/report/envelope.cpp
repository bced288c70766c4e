#include "report/envelope.hpp"

#include <cmath>
#include <utility>

namespace sunder {
namespace {

void append_extremes(std::span<const svg::Point> stretch, std::vector<svg::Point>& out) {
  const svg::Point* low = nullptr;
  const svg::Point* high = nullptr;
  for (const svg::Point& point : stretch) {
    if (!std::isfinite(point.y)) continue;
    if (low == nullptr || point.y < low->y) low = &point;
    if (high == nullptr || point.y > high->y) high = &point;
  }
  if (low == nullptr) {
    out.push_back(stretch.front());
    return;
  }
  if (high < low) std::swap(low, high);  // both point into the stretch: by position
  out.push_back(*low);
  if (high != low) out.push_back(*high);
}

}  // namespace

std::vector<svg::Point> envelope(std::span<const svg::Point> points, std::size_t limit) {
  if (points.size() <= limit) return {points.begin(), points.end()};
  const std::size_t stretches = limit / 2;
  std::vector<svg::Point> out;
  out.reserve(limit);
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * points.size() / stretches;
    const std::size_t end = (k + 1) * points.size() / stretches;
    append_extremes(points.subspan(begin, end - begin), out);
  }
  return out;
}

}  // namespace sunder
