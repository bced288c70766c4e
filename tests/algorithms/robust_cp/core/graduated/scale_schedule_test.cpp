#include "algorithms/robust_cp/core/graduated/scale_schedule.hpp"

#include <gtest/gtest.h>

#include "sunder/core/rng.hpp"

namespace sunder::robust {
namespace {

constexpr double moves_much = 0.1;  ///< L changes by a tenth in a step
constexpr double hardly_moves = 1e-5;

/// Normal residuals with a fifth of outliers a hundred times as large.
Entries residuals_of(double sigma) {
  Rng rng(1);
  Entries R = Entries::NullaryExpr(5000, [&] { return sigma * rng.normal(); });
  R.head(1000) = 100 * sigma;
  return R;
}

TEST(ScaleSchedule, TheFirstScaleIsBetweenTheQuartileAndTheOutliers) {
  ScaleSchedule schedule(20);
  schedule.shrink(residuals_of(1), moves_much);
  EXPECT_TRUE(schedule.is_smooth());
  EXPECT_GT(schedule.scale(), 2);
  EXPECT_LT(schedule.scale(), 10);
}

TEST(ScaleSchedule, ShrinksByAFifthDownToItsFloor) {
  ScaleSchedule schedule(20);
  schedule.shrink(residuals_of(1), moves_much);
  const double first = schedule.scale();
  schedule.shrink(residuals_of(1), moves_much);
  EXPECT_NEAR(schedule.scale() / first, 0.8, 1e-12);
  for (int k = 0; k < 20; ++k) schedule.shrink(residuals_of(1), moves_much);
  const double floor = schedule.scale();
  EXPECT_GT(floor, 1) << "six lower quartiles";
  schedule.lower_floor(moves_much);
  schedule.shrink(residuals_of(1), moves_much);
  EXPECT_EQ(schedule.scale(), floor) << "while L moves it stays";
  schedule.lower_floor(hardly_moves);
  schedule.shrink(residuals_of(1), moves_much);
  EXPECT_LT(schedule.scale(), floor);
}

/// Rounding beside outliers: they stand apart.
TEST(ScaleSchedule, TheThresholdTakesOverWhenInliersStandApart) {
  ScaleSchedule schedule(20);
  schedule.shrink(residuals_of(1), moves_much);
  schedule.choose_rule(residuals_of(1e-3), moves_much, true);
  EXPECT_TRUE(schedule.is_smooth()) << "L moves";
  schedule.choose_rule(residuals_of(1e-3), hardly_moves, false);
  EXPECT_TRUE(schedule.is_smooth()) << "components have just been pruned";
  schedule.choose_rule(residuals_of(1e-3), hardly_moves, true);
  EXPECT_FALSE(schedule.is_smooth());
  EXPECT_EQ(schedule.rule().kind, RuleKind::hard_threshold);
  schedule.choose_rule(residuals_of(1e-3), 0.5, true);
  EXPECT_TRUE(schedule.is_smooth()) << "an upset sends back";
}

TEST(ScaleSchedule, TheThresholdFollowsTheInliersButNotIntoTheNoise) {
  ScaleSchedule schedule(20);
  schedule.shrink(residuals_of(1), moves_much);
  schedule.choose_rule(residuals_of(1e-3), hardly_moves, true);
  for (int k = 0; k < 60; ++k) {
    schedule.shrink(residuals_of(1e-3), hardly_moves);
    schedule.choose_rule(residuals_of(1e-3), hardly_moves, true);
  }
  EXPECT_NEAR(schedule.scale(), 3.5e-3, 3e-4);
  EXPECT_TRUE(schedule.is_stationary(hardly_moves));
  EXPECT_FALSE(schedule.is_stationary(moves_much));
  schedule.choose_rule(residuals_of(1e-6), hardly_moves, true);
  EXPECT_FALSE(schedule.is_stationary(hardly_moves)) << "sigma fell";
}

TEST(ScaleSchedule, WidensAfterComponentsWent) {
  ScaleSchedule schedule(20);
  for (int k = 0; k < 30; ++k) schedule.shrink(residuals_of(1), moves_much);
  const double before = schedule.scale();
  schedule.widen(residuals_of(3));
  EXPECT_GT(schedule.scale(), 1.5 * before);
}

TEST(ScaleSchedule, KnowsNothingOfTheUnit) {
  ScaleSchedule here(20);
  ScaleSchedule there(20);
  for (int k = 0; k < 12; ++k) {
    here.shrink(residuals_of(1), moves_much);
    there.shrink(0x1p40 * residuals_of(1), moves_much);
    EXPECT_EQ(there.scale(), 0x1p40 * here.scale());
  }
}

}  // namespace
}  // namespace sunder::robust
