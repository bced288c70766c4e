#include "report/figures/axis.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sunder::svg {
namespace {

Range range_of(std::initializer_list<double> values, Scale scale = Scale::linear) {
  Range range(scale);
  for (const double value : values) range.include(value);
  return range;
}

std::vector<std::string> labels(const AxisScale& axis) {
  std::vector<std::string> out;
  for (const Tick& tick : axis.ticks()) out.push_back(tick.label);
  return out;
}

using Labels = std::vector<std::string>;

TEST(Range, IgnoresWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(range_of({nan, infinity, -infinity}).empty());
  EXPECT_TRUE(range_of({0.0, -1.0}, Scale::log).empty());
  const Range range = range_of({nan, 3.0, -2.0});
  EXPECT_EQ(range.low(), -2);
  EXPECT_EQ(range.high(), 3);
}

TEST(NiceStep, IsOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(nice_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(nice_step(11, 10), 2);
  EXPECT_DOUBLE_EQ(nice_step(0.04, 10), 0.005);
  EXPECT_DOUBLE_EQ(nice_step(6, 1), 10);
}

TEST(AxisScale, LinearTicksShareTheirDecimals) {
  const AxisScale axis({}, range_of({-0.4, 1.1}), 5, AxisScale::Ends::at_ticks);
  EXPECT_EQ(labels(axis), (Labels{"−0.5", "0", "0.5", "1.0", "1.5"}));
}

TEST(AxisScale, LargeAndSmallTicksAreScientific) {
  const AxisScale large({}, range_of({0, 2e6}), 2, AxisScale::Ends::tight);
  EXPECT_EQ(labels(large), (Labels{"0", "10⁶", "2×10⁶"}));
  const AxisScale small({}, range_of({0, 2e-7}), 2, AxisScale::Ends::tight);
  EXPECT_EQ(labels(small), (Labels{"0", "10⁻⁷", "2×10⁻⁷"}));
}

TEST(AxisScale, IntegerTicksAreWhole) {
  const Axis axis{.label = "", .integer = true};
  EXPECT_EQ(labels(AxisScale(axis, range_of({-0.5, 2.5}), 10, AxisScale::Ends::tight)),
            (Labels{"0", "1", "2"}));
  EXPECT_EQ(labels(AxisScale(axis, range_of({7}), 10, AxisScale::Ends::tight)), (Labels{"7"}));
}

TEST(AxisScale, LogTicksAreDecades) {
  const Axis axis{.label = "", .scale = Scale::log};
  const Range range = range_of({3e-9, 0.2}, Scale::log);
  EXPECT_EQ(labels(AxisScale(axis, range, 3, AxisScale::Ends::tight)),
            (Labels{"10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"}));
}

TEST(AxisScale, MapsEndsToEnds) {
  AxisScale linear({}, range_of({0, 10}), 5, AxisScale::Ends::at_ticks);
  linear.place(100, 200);
  EXPECT_DOUBLE_EQ(linear.pixel(0), 100);
  EXPECT_DOUBLE_EQ(linear.pixel(5), 150);
  AxisScale log({.label = "", .scale = Scale::log}, range_of({0.01, 1}, Scale::log), 5,
                AxisScale::Ends::tight);
  log.place(100, 0);
  EXPECT_DOUBLE_EQ(log.pixel(0.1), 50);
}

TEST(AxisScale, OneValueOrNoneStillMakeAnAxis) {
  for (const Range& range : {Range(), range_of({0}), range_of({-7.5}), range_of({1, 1 + 1e-15})}) {
    AxisScale axis({}, range, 4, AxisScale::Ends::at_ticks);
    axis.place(0, 1);
    EXPECT_GE(axis.ticks().size(), 2u);
    EXPECT_LE(axis.ticks().size(), 6u);
    if (!range.empty()) {
      EXPECT_NEAR(axis.pixel(range.low()), 0.5, 0.5);
    }
  }
}

}  // namespace
}  // namespace sunder::svg
