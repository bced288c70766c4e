#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random_order.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

std::vector<double> normal_sample(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(count);
  for (double& x : values) x = rng.normal();
  return values;
}

TEST(Statistics, OrderStatisticsAreThoseOfTheSortedList) {
  for (const std::size_t count : {1UL, 2UL, 7UL, 100UL}) {
    const std::vector<double> values = normal_sample(count, count);
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<double> reordered = values;
      EXPECT_EQ(order_statistic(reordered, k), sorted[k]);
      EXPECT_TRUE(std::is_permutation(reordered.begin(), reordered.end(), values.begin()));
    }
  }
}

TEST(Statistics, AQuantileHasItsShareBelowIt) {
  std::vector<double> values = {5, 1, 4, 2, 3, 9, 8, 7, 6, 0};
  EXPECT_EQ(quantile(values, 0), 0);
  EXPECT_EQ(quantile(values, 0.25), 2);
  EXPECT_EQ(quantile(values, 0.5), 5);
  EXPECT_EQ(quantile(values, 0.99), 9);
  EXPECT_EQ(quantile(values, 1), 9);
  std::vector<double> none;
  EXPECT_EQ(quantile(none, 0.5), 0);
}

TEST(Statistics, MediansOfOddAndEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 3);
  EXPECT_EQ(midpoint_median({3, 1, 2}), 2);
  EXPECT_EQ(midpoint_median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(midpoint_median({7}), 7);
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(midpoint_median({}), 0);
}

TEST(Statistics, DeviationsFromTheCentreAreMeasuredOnEitherSide) {
  EXPECT_EQ(median_absolute_deviation({1, 2, 3, 4, 100}, 3), 1);
  EXPECT_EQ(robust_scale({1, 2, 3, 4, 100}, 3), 1.4826);
}

TEST(Statistics, TheRobustScaleIsTheDeviationOfNormalValues) {
  std::vector<double> values = normal_sample(40'000, 2);
  EXPECT_NEAR(robust_scale(values, 0), 1, 0.02);
  for (std::size_t k = 0; k < 4'000; ++k) values[k] = 1e6;
  EXPECT_LT(robust_scale(values, 0), 1.3);
}

TEST(Statistics, TheLowerQuartileOfNormalMagnitudes) {
  std::vector<double> values = normal_sample(200'000, 3);
  for (double& x : values) x = std::abs(x);
  EXPECT_NEAR(quantile(values, low_quantile), quartile_of_normal, 0.003);
}

TEST(Statistics, RootMeanSquare) {
  EXPECT_EQ(root_mean_square(std::vector<double>{3, -3, 3, 3}), 3);
  EXPECT_EQ(root_mean_square({}), 0);
}

/// Beside outliers of one sign that are far away, of which a mean would notice one.
TEST(Statistics, TheDeviationOfInliersIsFoundBesideOutliers) {
  for (const double outliers : {0.0, 0.1, 0.4, 0.6}) {
    for (const double sigma : {1e-9, 1.0, 1e9}) {
      Rng rng(7);
      std::vector<double> magnitudes;
      for (int k = 0; k < 20'000; ++k) {
        const double inlier = std::abs(sigma * rng.normal());
        magnitudes.push_back(rng.bernoulli(outliers) ? sigma * rng.uniform(50, 100) : inlier);
      }
      EXPECT_NEAR(inlier_sigma(magnitudes) / sigma, 1, 0.04) << outliers << ' ' << sigma;
    }
  }
}

TEST(Statistics, InliersThatAreExactHaveNextToNoDeviation) {
  std::vector<double> magnitudes(100, 0.0);
  for (std::size_t k = 0; k < 40; ++k) magnitudes[k] = 1;
  EXPECT_GT(inlier_sigma(magnitudes), 0);
  EXPECT_LT(inlier_sigma(magnitudes), 1e-200);
}

TEST(Statistics, PowersOfTwoScaleTheDeviationExactly) {
  std::vector<double> magnitudes = normal_sample(1000, 5);
  for (double& x : magnitudes) x = std::abs(x);
  const double sigma = inlier_sigma(magnitudes);
  for (double& x : magnitudes) x *= 1024;
  EXPECT_EQ(inlier_sigma(magnitudes), 1024 * sigma);
}

TEST(Statistics, QuantilesOfManyValuesAreThoseOfTheSortedOnes) {
  std::vector<std::vector<double>> samples{normal_sample(5000, 7), normal_sample(1024, 8)};
  samples.push_back(samples[0]);
  for (double& x : samples[2]) x = std::round(x);  // many values recur
  samples.emplace_back(3000, 1.5);
  samples.push_back(samples[0]);
  std::sort(samples.back().begin(), samples.back().end());
  for (const std::vector<double>& sample : samples) {
    std::vector<double> sorted = sample;
    std::sort(sorted.begin(), sorted.end());
    for (const double q : {0.0, 0.01, 0.25, 0.5, 0.9, 0.995, 1.0}) {
      std::vector<double> values = sample;
      const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size()));
      EXPECT_EQ(quantile(values, q), sorted[std::min(at, sorted.size() - 1)]) << q;
    }
  }
}

TEST(Statistics, GemanMcClureWeights) {
  EXPECT_EQ(geman_mcclure_weight(0, 2), 1);
  EXPECT_EQ(geman_mcclure_weight(2, 2), 0.25);
  EXPECT_EQ(geman_mcclure_weight(-2, 2), 0.25);
  EXPECT_NEAR(geman_mcclure_weight(2e4, 2) * 1e16, 1, 1e-6);
}

}  // namespace
}  // namespace sunder
