#include "algorithms/robust_cp/noise/casewise/slice_quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::robust {
namespace {

constexpr Index slices = 20;

/// Slices of 1000 entries, 90% of which are inliers with the variance that the noise model says.
SliceSums usual() {
  SliceSums sums(slices);
  sums.observed.setConstant(1000);
  sums.inliers.setConstant(900);
  sums.squares.setConstant(900);
  return sums;
}

NoiseModel noise() {
  NoiseModel model;
  model.scales = {Vector::Ones(slices)};
  model.outlier_share = 0.1;
  model.range = 20;
  model.outlier_density.fill(1 / 40.0);
  return model;
}

TEST(SliceQuality, UsualSlicesHaveNoExcessAndAreNotFlagged) {
  const std::vector<SliceSums> sums{usual()};
  const std::vector<SliceQuality> quality = slice_quality(sums, noise());
  ASSERT_EQ(quality.size(), 1u);
  for (const double excess : quality[0].excess) EXPECT_NEAR(excess, 0, 1e-12);
  EXPECT_TRUE(flagged_slices(quality, sums).empty());
}

TEST(SliceQuality, TheWorstSliceComesFirst) {
  std::vector<SliceSums> sums{usual()};
  sums[0].inliers[3] = 300;  // few inliers
  sums[0].squares[3] = 300;
  NoiseModel model = noise();
  model.scales[0][7] = 400;  // 20 times the deviation
  const std::vector<SliceQuality> quality = slice_quality(sums, model);
  EXPECT_NEAR(quality[0].inlier_share[3], 0.3, 1e-12);
  EXPECT_NEAR(quality[0].deviation[7], 20, 1e-9);
  EXPECT_NEAR(quality[0].excess[7], std::log(20), 1e-9);
  const std::vector<FlaggedSlice> flagged = flagged_slices(quality, sums);
  ASSERT_EQ(flagged.size(), 2u);
  EXPECT_EQ(flagged[0].index, 7);
  EXPECT_EQ(flagged[0].reason, "far more noise");
  EXPECT_EQ(flagged[1].index, 3);
  EXPECT_EQ(flagged[1].reason, "few inliers");
  EXPECT_GT(flagged[1].excess, 0.5);
  EXPECT_LT(flagged[0].q, 1e-6);
  EXPECT_LT(flagged[1].q, 1e-6);
}

TEST(SliceQuality, WhereAllSlicesDifferNoneIsFlagged) {
  const std::vector<SliceSums> sums{usual()};
  NoiseModel model = noise();
  for (Index i = 0; i < slices; ++i) {
    // Deviations evenly over a decade, as instruments have.
    model.scales[0][i] = std::pow(10, 2 * (static_cast<double>(i) / (slices - 1) - 0.5));
  }
  EXPECT_TRUE(flagged_slices(slice_quality(sums, model), sums).empty());
}

TEST(SliceQuality, SlicesOfFewEntriesMayDifferByChance) {
  std::vector<SliceSums> sums{usual()};
  sums[0].observed.setConstant(8);
  sums[0].inliers.setConstant(7);
  sums[0].squares.setConstant(7);
  sums[0].inliers[2] = 4;
  EXPECT_TRUE(flagged_slices(slice_quality(sums, noise()), sums).empty());
}

TEST(SliceQuality, SlicesThatWereNeverSeenAreUsual) {
  std::vector<SliceSums> sums{usual()};
  sums[0].observed[5] = sums[0].inliers[5] = sums[0].squares[5] = 0;
  const std::vector<SliceQuality> quality = slice_quality(sums, noise());
  EXPECT_NEAR(quality[0].excess[5], 0, 1e-12);
  EXPECT_TRUE(flagged_slices(quality, sums).empty());
}

TEST(SliceQuality, AFewSlicesHaveNoUsualOne) {
  std::vector<SliceSums> sums{SliceSums(3)};
  sums[0].observed.setConstant(1000);
  sums[0].inliers << 900, 900, 10;
  sums[0].squares = sums[0].inliers;
  NoiseModel model = noise();
  model.scales = {Vector::Ones(3)};
  EXPECT_TRUE(flagged_slices(slice_quality(sums, model), sums).empty());
}

}  // namespace
}  // namespace sunder::robust
