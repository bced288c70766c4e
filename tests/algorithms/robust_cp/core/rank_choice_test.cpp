#include "algorithms/robust_cp/core/rank_choice.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

RankChoice choice_on(const DenseCore& core, int most) {
  Rng rng(3);
  Monitor monitor;
  return choose_rank(core, most, rng, monitor);
}

/// 3 is not among the ranks 1, 2, 4 that are tried first.
TEST(RankChoice, IsTheNumberOfPlantedComponents) {
  for (const int rank : {1, 2, 3}) {
    const auto planted =
        test::planted_core({18, 18, 18}, rank, {.density = 0.2}, static_cast<std::uint64_t>(rank));
    const RankChoice choice = choice_on(planted.core, 6);
    EXPECT_EQ(choice.rank, rank);
    EXPECT_TRUE(choice.exact) << rank;
  }
}

TEST(RankChoice, WithMissingEntriesToo) {
  const auto planted = test::planted_core({18, 18, 18}, 2, {.density = 0.1, .missing = 0.3}, 4);
  const RankChoice choice = choice_on(planted.core, 6);
  EXPECT_EQ(choice.rank, 2);
  EXPECT_TRUE(choice.exact);
}

TEST(RankChoice, UnderNoiseItIsTheSmallestThatSuffices) {
  const auto planted = test::planted_core({18, 18, 18}, 2, {.density = 0.1, .noise = 0.05}, 5);
  const RankChoice choice = choice_on(planted.core, 6);
  EXPECT_EQ(choice.rank, 2);
  EXPECT_FALSE(choice.exact);
}

TEST(RankChoice, NeverExceedsTheMostThatIsAllowed) {
  const auto planted = test::planted_core({14, 14, 14}, 4, {.density = 0.1}, 6);
  const RankChoice choice = choice_on(planted.core, 2);
  EXPECT_LE(choice.rank, 2);
  EXPECT_FALSE(choice.exact);
  EXPECT_EQ(choice_on(planted.core, 1).rank, 1);
}

TEST(RankChoice, TheUnitOfTheDataDoesNotMatter) {
  auto planted = test::planted_core({14, 14, 14}, 2, {.density = 0.2}, 7);
  planted.core.values *= 0x1p-40;
  EXPECT_EQ(choice_on(planted.core, 4).rank, 2);
}

}  // namespace
}  // namespace sunder::robust
