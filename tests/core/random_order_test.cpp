#include "core/random_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace sunder {
namespace {

TEST(RandomOrder, EveryOrderIsEquallyLikely) {
  constexpr int draws = 6000;
  Rng rng(1);
  std::map<std::vector<int>, int> seen;
  for (int k = 0; k < draws; ++k) {
    std::vector<int> list = {1, 2, 3};
    shuffle(list, rng);
    ++seen[list];
  }
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, draws / 6, 150);
}

TEST(RandomOrder, ShortListsStay) {
  Rng rng(2);
  std::vector<int> none;
  shuffle(none, rng);
  EXPECT_TRUE(none.empty());
  std::vector<int> one = {5};
  shuffle(one, rng);
  EXPECT_EQ(one, std::vector<int>{5});
}

TEST(RandomOrder, DrawsDistinctNumbersOfTheRange) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    std::vector<Index> drawn = draw_distinct(30, 12, rng);
    ASSERT_EQ(drawn.size(), 12U);
    std::sort(drawn.begin(), drawn.end());
    EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
    EXPECT_GE(drawn.front(), 0);
    EXPECT_LT(drawn.back(), 30);
  }
}

TEST(RandomOrder, EveryNumberIsDrawnAsOften) {
  Rng rng(3);
  std::vector<int> times(10, 0);
  for (int k = 0; k < 5000; ++k) {
    for (const Index i : draw_distinct(10, 3, rng)) ++times[i];
  }
  for (const int count : times) EXPECT_NEAR(count, 1500, 130);
}

TEST(RandomOrder, AllOfThemAreAPermutation) {
  Rng rng(4);
  std::vector<Index> drawn = draw_distinct(8, 8, rng);
  std::sort(drawn.begin(), drawn.end());
  for (Index i = 0; i < 8; ++i) EXPECT_EQ(drawn[i], i);
}

}  // namespace
}  // namespace sunder
