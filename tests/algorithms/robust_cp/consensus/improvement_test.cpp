#include "algorithms/robust_cp/consensus/improvement.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// A candidate with these factors, and what the search makes of it.
struct ImprovedExample {
  const test::Recipe& recipe;
  RunContext context;
  Candidate candidate;
  double level;

  ImprovedExample(const test::Recipe& made, int rank, Factors factors)
      : recipe(made),
        context(std::make_shared<MemorySource>(made.tensor.view()), test::of_rank(rank), {}) {
    const Window window = made.window();
    level = window.level;
    candidate.factors = std::move(factors);
    candidate.core.factors = candidate.factors;
    candidate.core.spread = window.spread;
    candidate.core.exact = true;
    candidate.core.determinacy = Determinacy::determined;
  }
  Improved improved() {
    TensorFit fit =
        context.sparse_pass.find_sparse(candidate.factors, level, KeepOutliers::while_few);
    return improve(context, candidate, level, fit);
  }
};

TEST(Improvement, ComponentsOnABoxAreAdded) {
  const test::Recipe recipe = test::recipe_a(1);
  ImprovedExample example(recipe, 3, without_component(without_component(recipe.truth, 2), 1));
  const Improved improved = example.improved();
  EXPECT_LT(recipe.error(improved.candidate.factors), 1e-10);
  EXPECT_GT(improved.report.moves, 0);
  EXPECT_FALSE(improved.report.cut_short || improved.report.may_lack);
  EXPECT_TRUE(improved.candidate.core.determined());
}

/// Only the pass that found the fit reads T.
TEST(Improvement, AModelThatNothingCanBeatIsLeftAlone) {
  Rng rng(2);
  test::Recipe recipe(test::normal_components({20, 21, 22}, 2, rng));
  recipe.corrupt(0.2, rng);
  ImprovedExample example(recipe, 2, recipe.truth);
  const Improved improved = example.improved();
  EXPECT_EQ(improved.report.moves, 0);
  EXPECT_EQ(example.context.engine.passes(), 1);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(improved.candidate.factors[m], recipe.truth[m]);
  EXPECT_GT(improved.report.box_side, 2);
}

/// Two components do what one could, so that the rank leaves room for the one on a box.
TEST(Improvement, ComponentsThatAreNotNeededMakeRoomForOthers) {
  Rng rng(4);
  const test::Recipe recipe = test::components_on_box({30, 30, 16}, 1, 5, 4, rng);
  Factors halves = joined(without_component(recipe.truth, 1), without_component(recipe.truth, 1));
  halves[0] /= 2;
  ImprovedExample example(recipe, 2, halves);
  example.candidate.core.determinacy = Determinacy::open_factors;
  EXPECT_LT(recipe.error(example.improved().candidate.factors), 1e-10);
}

/// 2^21 entries and more are searched by samples and parts.
TEST(Improvement, RowsAndBoxesOfALargeTensorAreFound) {
  Rng rng(3);
  test::Recipe recipe = test::components_on_box({140, 130, 120}, 1, 20, 40, rng);
  recipe.corrupt(0.05, rng);
  ImprovedExample example(recipe, 2, recipe.truth);
  example.candidate.factors[1].row(77) *= 1.3;
  for (Matrix& factor : example.candidate.factors) factor.col(1).setZero();
  const Improved improved = example.improved();
  EXPECT_LT(recipe.error(improved.candidate.factors), 1e-10);
  EXPECT_GE(improved.report.moves, 2);
  EXPECT_FALSE(improved.report.cut_short);
}

}  // namespace
}  // namespace sunder::robust
