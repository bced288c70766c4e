#include "algorithms/robust_cp/consensus/components/fewer_components.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

struct FewerExample {
  Rng rng{1};
  test::Recipe recipe{test::normal_components({12, 13, 14}, 2, rng)};

  std::optional<Factors> fewer(const Factors& factors) {
    recipe.corrupt(0.1, rng);
    const Window window = recipe.window();
    Monitor monitor;
    return with_fewer_components(window, factors, window.fitted(recipe.truth, monitor), rng,
                                 monitor);
  }
};

TEST(FewerComponents, TwoThatShareOneAreMerged) {
  FewerExample example;
  Factors split = joined(example.recipe.truth, without_component(example.recipe.truth, 0));
  split[0].col(1) *= 0.3;
  split[0].col(2) *= 0.7;
  const std::optional<Factors> fewer = example.fewer(split);
  ASSERT_TRUE(fewer.has_value());
  EXPECT_EQ(fewer->front().cols(), 2);
  EXPECT_LT(example.recipe.error(*fewer), 1e-10);
}

TEST(FewerComponents, OneThatIsBelowRoundingGoes) {
  FewerExample example;
  Factors tiny = test::normal_component({12, 13, 14}, example.rng);
  tiny.front() *= 1e-9;
  const std::optional<Factors> fewer = example.fewer(joined(example.recipe.truth, tiny));
  ASSERT_TRUE(fewer.has_value());
  EXPECT_EQ(fewer->front().cols(), 2);
  EXPECT_LT(example.recipe.error(*fewer), 1e-8);
}

TEST(FewerComponents, ComponentsThatAreNeededStay) {
  FewerExample example;
  EXPECT_FALSE(example.fewer(example.recipe.truth).has_value());
  EXPECT_FALSE(example.fewer(without_component(example.recipe.truth, 0)).has_value());
}

/// One component of a thousandth of the size of the other is none the less at work.
TEST(FewerComponents, AWeakComponentStays) {
  FewerExample example;
  Factors truth = example.recipe.truth;
  truth[0].col(1) *= 3e-4;
  example.recipe = test::Recipe(truth);
  EXPECT_FALSE(example.fewer(truth).has_value());
}

TEST(FewerComponents, RedundantIsWhatCanChangeWithoutChangingL) {
  Rng rng(2);
  Factors factors = test::normal_components({12, 13, 14}, 3, rng);
  EXPECT_FALSE(may_be_redundant(factors, rng));
  EXPECT_FALSE(may_be_redundant(test::normal_component({12, 13, 14}, rng), rng));
  factors[0].col(2) = factors[0].col(1);  // a matrix of rank two has many factors
  EXPECT_TRUE(may_be_redundant(factors, rng));
}

}  // namespace
}  // namespace sunder::robust
