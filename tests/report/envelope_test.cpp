#include "report/envelope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

std::vector<svg::Point> wave(std::size_t length) {
  std::vector<svg::Point> points;
  for (std::size_t k = 0; k < length; ++k) {
    points.push_back({static_cast<double>(k), std::sin(0.37 * static_cast<double>(k))});
  }
  return points;
}

TEST(Envelope, LeavesShortCurvesAlone) { EXPECT_EQ(envelope(wave(400), 400).size(), 400u); }

TEST(Envelope, KeepsSpikesOrderAndLimit) {
  std::vector<svg::Point> points = wave(12'345);
  points[6789].y = 50;
  points[6790].y = -50;
  const auto reduced = envelope(points, 400);
  EXPECT_LE(reduced.size(), 400u);
  EXPECT_TRUE(std::is_sorted(reduced.begin(), reduced.end(),
                             [](const auto& a, const auto& b) { return a.x < b.x; }));
  const auto [low, high] = std::minmax_element(
      reduced.begin(), reduced.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  EXPECT_EQ(low->x, 6790);
  EXPECT_EQ(high->x, 6789);
}

TEST(Envelope, KeepsGaps) {
  std::vector<svg::Point> points = wave(1000);
  for (std::size_t k = 300; k < 600; ++k) points[k].y = std::numeric_limits<double>::quiet_NaN();
  const auto reduced = envelope(points, 20);
  EXPECT_TRUE(std::any_of(reduced.begin(), reduced.end(),
                          [](const auto& point) { return std::isnan(point.y); }));
}

}  // namespace
}  // namespace sunder
