#include "algorithms/robust_cp/inference/standard_residuals.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/robust_cp/inference/planted_residuals.hpp"

namespace sunder::robust {
namespace {

TEST(StandardResiduals, AFineHistogramComesBackFromCoarseBins) {
  const test::Residuals planted = test::planted_residuals({.entries = 200000, .share = 0}, 31001);
  const StandardResiduals found = standard_residuals(planted.counts, planted.noise);
  EXPECT_NEAR(found.total, 200000, 1e-6);
  EXPECT_NEAR(std::accumulate(found.counts.begin(), found.counts.end(), 0.0), 200000, 1e-6);
  // The shares beyond 2 and 3 standard deviations.
  for (const auto& [limit, share] : {std::pair{2.0, 0.0455}, std::pair{3.0, 0.0027}}) {
    double beyond = 0;
    for (int b = 0; b < StandardResiduals::bins; ++b) {
      if (std::abs(StandardResiduals::middle(b)) > limit) beyond += found.counts[b];
    }
    EXPECT_NEAR(beyond / 200000, share, 0.1 * share) << limit;
  }
}

TEST(StandardResiduals, TheVarianceOfAnEntryIsItsUnit) {
  NoiseModel noise;
  noise.variance = 4;
  noise.least_variance = 1e-9;
  noise.unit = 2;
  ResidualCounts counts;
  // A residual of 8 with the variance 4 x 4: z is 2.
  const int row = ResidualCounts::variances / 2 + static_cast<int>(2 * ResidualCounts::per_octave);
  counts.counts[row * ResidualBins::count + noise.bins().of(8)] = 10;
  const StandardResiduals found = standard_residuals(counts, noise);
  for (int b = 0; b < StandardResiduals::bins; ++b) {
    if (found.counts[b] == 0) continue;
    EXPECT_NEAR(StandardResiduals::middle(b), 2, 0.25);
  }
}

TEST(StandardResiduals, TheLastBinsReachToInfinity) {
  EXPECT_EQ(StandardResiduals::bin_of(-1e300), 0);
  EXPECT_EQ(StandardResiduals::bin_of(1e300), StandardResiduals::bins - 1);
  EXPECT_EQ(StandardResiduals::bin_of(StandardResiduals::middle(17)), 17);
}

}  // namespace
}  // namespace sunder::robust
