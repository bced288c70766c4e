#include "report/figures/envelope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

std::vector<double> wave(std::size_t length) {
  std::vector<double> curve;
  for (std::size_t k = 0; k < length; ++k) {
    curve.push_back(std::sin(0.37 * static_cast<double>(k)));
  }
  return curve;
}

TEST(Envelope, LeavesShortCurvesAlone) {
  const std::vector<double> curve = wave(400);
  EXPECT_EQ(picked(curve, envelope(curve, 400)), curve);
}

TEST(Envelope, KeepsSpikesOrderAndLimit) {
  std::vector<double> curve = wave(12'345);
  curve[6789] = 50;
  curve[6790] = -50;
  const std::vector<std::size_t> places = envelope(curve, 400);
  EXPECT_LE(places.size(), 400u);
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  EXPECT_TRUE(std::binary_search(places.begin(), places.end(), 6789u));
  EXPECT_TRUE(std::binary_search(places.begin(), places.end(), 6790u));
}

TEST(Envelope, KeepsGaps) {
  std::vector<double> curve = wave(1000);
  for (std::size_t k = 300; k < 600; ++k) curve[k] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> reduced = picked(curve, envelope(curve, 20));
  EXPECT_TRUE(std::ranges::any_of(reduced, [](double y) { return std::isnan(y); }));
}

}  // namespace
}  // namespace sunder
