#include "algorithms/robust_cp/consensus/consensus.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

Consensus consensus_of(const Window& window, const Factors& start,
                       const ConsensusOptions& options) {
  Rng rng(1);
  Monitor monitor;
  return seek_consensus(window, start, options, rng, monitor);
}

/// The rank-one model fits seven eighths of the entries.
TEST(Consensus, ComponentsOnABoxAreAdded) {
  for (const bool chosen : {true, false}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const test::Recipe recipe = test::recipe_a(seed);
      const Factors start = without_component(without_component(recipe.truth, 2), 1);
      const Consensus found = consensus_of(recipe.window(), start,
                                           {.most_components = chosen ? 1 : 3, .chosen = chosen});
      EXPECT_EQ(found.fitted, 8000) << seed;
      EXPECT_EQ(found.factors.front().cols(), 3) << seed;
      EXPECT_LT(recipe.error(found.factors), 1e-10) << seed;
      EXPECT_GT(found.moves, 0);
      EXPECT_FALSE(found.may_lack || found.cut_short);
      EXPECT_EQ(found.ties, 0);
    }
  }
}

/// The strong component fits fewer entries than the weak one.
TEST(Consensus, AComponentOfSIsExchangedForOneOfL) {
  for (const double share : {0.5, 0.6}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const test::Exchange exchange = test::recipe_g(seed, share);
      const Window window = exchange.recipe.window();
      Monitor monitor;
      const Consensus found = consensus_of(window, exchange.wrong(), {.most_components = 2});
      EXPECT_EQ(found.factors.front().cols(), 2) << share << ' ' << seed;
      EXPECT_EQ(found.fitted, window.fitted(exchange.recipe.truth, monitor))
          << share << ' ' << seed;
      EXPECT_LT(exchange.recipe.error(found.factors), 1e-10) << share << ' ' << seed;
      EXPECT_FALSE(found.cut_short);
    }
  }
}

TEST(Consensus, TheTruthStaysAmongErrors) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    test::Recipe recipe(test::normal_components({15, 16, 17}, 2, rng));
    recipe.corrupt(0.3, rng);
    recipe.lose(0.1, rng);
    for (const bool chosen : {true, false}) {
      const Consensus found =
          consensus_of(recipe.window(), recipe.truth, {.most_components = 3, .chosen = chosen});
      EXPECT_EQ(found.moves, 0) << seed;
      EXPECT_LT(recipe.error(found.factors), 1e-12);
      EXPECT_FALSE(found.may_lack || found.cut_short) << seed;
      EXPECT_EQ(found.ties, 0) << seed;
    }
  }
}

/// 3 x 3 x 3 entries have 7 unknowns: too many to be an accident, too few to be sure of.
TEST(Consensus, AComponentOnFewEntriesIsAHint) {
  Rng rng(4);
  const test::Recipe recipe = test::components_on_box({15, 15, 15}, 1, 0, 3, rng);
  const Consensus found = consensus_of(recipe.window(), without_component(recipe.truth, 1),
                                       {.most_components = 1, .chosen = true});
  EXPECT_TRUE(found.may_lack || found.fitted == 3375);
}

/// It has all components that were asked for.
TEST(Consensus, ARankThatWasAskedForIsNotExceeded) {
  const test::Recipe recipe = test::recipe_a(5);
  const Factors start = without_component(without_component(recipe.truth, 2), 1);
  const Consensus found = consensus_of(recipe.window(), start, {.most_components = 1});
  EXPECT_EQ(found.factors.front().cols(), 1);
  EXPECT_EQ(found.fitted, 7000);
}

}  // namespace
}  // namespace sunder::robust
