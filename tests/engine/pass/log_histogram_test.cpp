#include "engine/pass/log_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

TEST(LogHistogram, QuantilesAreWithinABinOfTheTrueOnes) {
  Rng rng(3);
  LogHistogram histogram;
  std::vector<double> numbers;
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(std::abs(rng.normal()) * std::pow(10.0, rng.uniform(-20, 20)));
    histogram.add(numbers.back());
  }
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(histogram.total(), 20000);
  for (const double q : {0.01, 0.1, 0.25, 0.5, 0.9, 0.99}) {
    const double expected = numbers[q * 20000];
    EXPECT_NEAR(histogram.quantile(q) / expected, 1, 1.0 / 16);
  }
}

TEST(LogHistogram, TakesWhateverADoubleCanBe) {
  LogHistogram histogram;
  for (const double x : {0.0, 5e-324, 1e-300, 1.0, 1e300}) histogram.add(x);
  EXPECT_EQ(histogram.total(), 5);
  EXPECT_LT(histogram.quantile(0.1), 1e-30);
  EXPECT_GT(histogram.quantile(0.99), 1e30);
}

TEST(LogHistogram, AnEmptyOneHasQuantileZero) { EXPECT_EQ(LogHistogram{}.quantile(0.5), 0); }

TEST(LogHistogram, SumsLikeItsParts) {
  Rng rng(4);
  LogHistogram whole;
  LogHistogram parts[2];
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.uniform();
    whole.add(x);
    parts[i % 2].add(x);
  }
  parts[0].add(parts[1]);
  EXPECT_EQ(parts[0].quantile(0.3), whole.quantile(0.3));
}

}  // namespace
}  // namespace sunder
