#include "algorithms/robust_cp/core_schedule.hpp"

#include <gtest/gtest.h>

#include "sunder/core/error.hpp"

namespace sunder::robust {
namespace {

const Shape cube{100, 100, 100};

TEST(CoreSchedule, ACoreGrowsByAHalfUntilItIsAllOfTheTensor) {
  const CoreBudget budget(0);
  CoreSchedule schedule(cube, 3, 60, budget);
  EXPECT_EQ(schedule.core(), (Shape{60, 60, 60}));
  EXPECT_FALSE(schedule.is_last(false, false));
  EXPECT_TRUE(schedule.grow());
  EXPECT_EQ(schedule.attempt(), 2);
  EXPECT_EQ(schedule.core(), (Shape{90, 90, 90}));
  EXPECT_TRUE(schedule.grow());
  EXPECT_TRUE(schedule.is_whole());
  EXPECT_FALSE(schedule.is_last(false, false));
  EXPECT_TRUE(schedule.grow());
  EXPECT_TRUE(schedule.is_whole());
  EXPECT_TRUE(schedule.is_last(false, false));
}

TEST(CoreSchedule, AThirdAttemptFollowsWhereOneOfTwoWasFarBetter) {
  const CoreBudget budget(0);
  CoreSchedule schedule({20, 20, 20}, 2, 60, budget);
  EXPECT_TRUE(schedule.is_whole());
  schedule.grow();
  EXPECT_TRUE(schedule.is_last(false, false));
  EXPECT_FALSE(schedule.is_last(true, true));
  schedule.grow();
  EXPECT_TRUE(schedule.is_last(true, false));
}

TEST(CoreSchedule, EndsAfterTwoCoresAtLeastWhereNoEntriesAreLeftToSample) {
  const CoreBudget budget(0);
  CoreSchedule schedule(cube, 3, 20, budget);
  EXPECT_FALSE(schedule.is_last(false, true));
  schedule.grow();
  EXPECT_TRUE(schedule.is_last(false, true));
  // A part of the tensor does not tell which of two fits is better.
  EXPECT_TRUE(schedule.is_last(true, true));
}

/// Another core of the same size may agree with the first one.
TEST(CoreSchedule, TriesTheLargestCoreThatFitsTwice) {
  const CoreBudget budget(Index{30} << 20);  // 60^3 takes 23 MiB, 90^3 78 MiB
  CoreSchedule schedule(cube, 3, 60, budget);
  EXPECT_TRUE(schedule.grow());
  EXPECT_EQ(schedule.core(), (Shape{60, 60, 60}));
  EXPECT_EQ(schedule.attempt(), 2);
  EXPECT_FALSE(schedule.grow());
}

TEST(CoreSchedule, RefusesAFirstCoreThatDoesNotFit) {
  const CoreBudget budget(Index{10} << 20);
  EXPECT_THROW(CoreSchedule(cube, 3, 60, budget), InputError);
}

}  // namespace
}  // namespace sunder::robust
