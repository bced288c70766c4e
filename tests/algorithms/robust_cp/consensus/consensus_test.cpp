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

/// Constraints can leave nothing of a start.
TEST(Consensus, NothingIsFoundFromNothing) {
  const test::Recipe recipe = test::recipe_a(1);
  Factors zero = recipe.truth;
  zero.front().setZero();
  const Consensus found = consensus_of(recipe.window(), zero, {.most_components = 3});
  EXPECT_EQ(found.factors.front().cols(), 0);
  EXPECT_EQ(found.moves, 0);
}

/// 3 x 3 x 3 entries have 7 unknowns: too many to be an accident, too few to be sure of.
TEST(Consensus, AComponentOnFewEntriesIsAHint) {
  Rng rng(4);
  const test::Recipe recipe = test::components_on_box({15, 15, 15}, 1, 0, 3, rng);
  const Consensus found = consensus_of(recipe.window(), without_component(recipe.truth, 1),
                                       {.most_components = 1, .chosen = true});
  EXPECT_TRUE(found.may_lack || found.fitted == 3375);
}

/// S is strong on a box, a component of L is weak on a larger one, and the factors of the matrix do
/// not tell them from the component everywhere.
TEST(Consensus, AComponentOfSInAMatrixIsExchangedForOneOfL) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Rng rng(seed, 31);
    const Shape shape{40, 45};
    Factors weak = test::on_box(test::normal_component(shape, rng), 0, 16);
    weak.front() *= 0.1;
    const Factors strong = test::on_box(test::normal_component(shape, rng), 28, 10);
    const Factors everywhere = test::normal_component(shape, rng);
    test::Recipe recipe(joined(everywhere, weak));
    recipe.add_to_sparse(strong);
    Factors wrong = joined(everywhere, strong);
    Matrix map(2, 2);
    map << 1, 2, -0.5, 1;
    wrong[0] = wrong[0] * map;
    wrong[1] = wrong[1] * map.inverse().transpose();
    const Consensus found = consensus_of(recipe.window(), wrong, {.most_components = 2});
    EXPECT_EQ(found.fitted, 40 * 45 - 100) << seed;
    EXPECT_LT(recipe.error(found.factors), 1e-10) << seed;
  }
}

/// Two components under errors of 80% on a box. Nobody finds them, but their place shows.
TEST(Consensus, ComponentsMayHideInABoxOfErrors) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed, 32);
    test::Recipe recipe = test::components_on_box({14, 30, 12}, 2, 0, 8, rng);
    const Factors start = without_component(without_component(recipe.truth, 2), 1);
    const Entries inside = evaluate(recipe.truth) - evaluate(start);
    for (Index i = 0; i < inside.size(); ++i) {
      if (inside[i] != 0 && rng.bernoulli(0.8)) recipe.tensor.typed<double>()[i] += rng.normal();
    }
    const Consensus found = consensus_of(recipe.window(), start, {.most_components = 3});
    EXPECT_TRUE(found.may_lack || recipe.error(found.factors) < 1e-10) << seed;
    const Consensus full = consensus_of(recipe.window(), start, {.most_components = 1});
    EXPECT_FALSE(full.may_lack) << "there is no room for them, seed " << seed;
  }
}

/// Nine entries that two components of a symmetric matrix fit, as any two of that size would.
TEST(Consensus, WithPlacesLeftTheFewestEntriesOfABoxAreInDoubt) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed, 34);
    const Factors one = test::normal_component({32, 32}, rng);
    test::Recipe recipe(one);
    for (Index i = 0; i < 9; ++i) {
      recipe.tensor.typed<double>()[32 * (i / 3) + i % 3] += rng.normal();
    }
    EXPECT_TRUE(consensus_of(recipe.window(), one, {.most_components = 3}).may_lack) << seed;
    EXPECT_FALSE(consensus_of(recipe.window(), one, {.most_components = 1}).may_lack) << seed;
  }
}

/// The components of a symmetric matrix are not unique, so that the one on the last rows does not
/// show in them. Another one on the first rows could take its place.
TEST(Consensus, AComponentOfASymmetricMatrixMayHideAnother) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed, 36);
    const Shape shape{50, 50};
    const auto symmetric = [&](Index first, Index count) {
      Factors one = test::on_box(test::normal_component(shape, rng), first, count);
      one[1] = one[0];
      return one;
    };
    test::Recipe recipe(joined(symmetric(0, 50), symmetric(0, 35)));
    const Factors strong = symmetric(20, 30);
    recipe.add_to_sparse(strong);
    const Factors wrong = joined(without_component(recipe.truth, 1), strong);
    const double c = std::cos(0.5);
    const double s = std::sin(0.5);
    Matrix turn(2, 2);
    turn << c, -s, s, c;
    const Factors turned{wrong[0] * turn, wrong[1] * turn};
    Window window = recipe.window();
    window.constraints = ModeConstraints({{{0, 1}}, {}}, shape);
    const Consensus found = consensus_of(window, turned, {.most_components = 2});
    EXPECT_TRUE(found.may_lack || recipe.error(found.factors) < 1e-10) << seed;
  }
}

/// A block of errors hides no single component, which would make its slices proportional.
TEST(Consensus, OnePlaceIsNotFilledByABlockOfErrors) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed, 35);
    const Factors two = test::normal_components({16, 17, 18}, 2, rng);
    test::Recipe recipe(two);
    for (Index i = 0; i < 16 * 17 * 18; ++i) {
      const ModeIndices at = recipe.shape().unravel(i);
      if (at[0] < 6 && at[1] < 6 && at[2] < 6) recipe.tensor.typed<double>()[i] += rng.normal();
    }
    EXPECT_FALSE(consensus_of(recipe.window(), two, {.most_components = 3}).may_lack) << seed;
    EXPECT_TRUE(consensus_of(recipe.window(), two, {.most_components = 4}).may_lack) << seed;
  }
}

/// Factors that are right to seven digits only.
TEST(Consensus, AModelIsPolishedDownToRounding) {
  Rng rng(6);
  test::Recipe recipe(test::normal_components({15, 16, 17}, 2, rng));
  recipe.corrupt(0.2, rng);
  Factors start = recipe.truth;
  for (Matrix& factor : start) {
    for (double& x : factor.reshaped()) x *= 1 + 1e-8 * rng.normal();
  }
  const Consensus found = consensus_of(recipe.window(), start, {.most_components = 2});
  EXPECT_TRUE(found.polished);
  EXPECT_LT(recipe.error(found.factors), 1e-14);
}

/// On a chessboard of entries, a component has other signs in some rows and columns. No single row
/// fits more with other signs.
TEST(Consensus, AModelOfOtherSignsIsFoundOrIsARival) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Rng rng(seed, 33);
    const Shape shape{30, 34};
    test::Recipe recipe(test::normal_component(shape, rng));
    Factors other = recipe.truth;
    for (Matrix& factor : other) factor.topRows(12) *= -1;
    const Entries values = evaluate(other);
    const auto entries = recipe.tensor.typed<double>();
    for (Index i = 0; i < values.size(); ++i) {
      if ((i / shape[1] + i % shape[1]) % 2 == 0) entries[i] = values[i];
    }
    const Consensus found = consensus_of(recipe.window(), recipe.truth, {.most_components = 1});
    EXPECT_GT(found.rivals + found.ties, 0) << seed;
  }
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
