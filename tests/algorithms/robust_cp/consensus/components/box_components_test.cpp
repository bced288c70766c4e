#include "algorithms/robust_cp/consensus/components/box_components.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// What the first component leaves, and the box of the others.
struct BoxProblem {
  test::Recipe recipe;
  Window window;
  Factors first;
  Entries rest;
  Box box;

  BoxProblem(test::Recipe made, Index rows)
      : recipe(std::move(made)), window(recipe.window()), first(recipe.truth) {
    while (first.front().cols() > 1) first = without_component(first, 1);
    rest = residual(window.core, first);
    for (int m = 0; m < 3; ++m) {
      std::vector<Index>& set = box.sets.emplace_back();
      for (Index i = 0; i < rows; ++i) set.push_back(i);
    }
    box.sparse = box.known = rows * rows * rows;
  }
  Factors found(int count) const {
    Rng rng(1);
    Monitor monitor;
    return components_in_box(window, rest, box, count, rng, monitor);
  }
};

TEST(BoxComponents, OneAndTwoComponentsAreFound) {
  for (const int count : {1, 2}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Rng rng(seed);
      const BoxProblem problem(test::components_on_box({20, 20, 20}, count, 0, 10, rng), 10);
      const Factors found = problem.found(count);
      ASSERT_FALSE(found.empty()) << count << ' ' << seed;
      EXPECT_EQ(found.front().cols(), count);
      EXPECT_LT(problem.recipe.error(joined(problem.first, found)), 1e-9) << count << ' ' << seed;
      for (const Matrix& factor : found) EXPECT_TRUE((factor.bottomRows(10).array() == 0).all());
    }
  }
}

TEST(BoxComponents, ErrorsAndMissingEntriesAreNoHindrance) {
  for (const int count : {1, 2}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Rng rng(seed);
      test::Recipe recipe = test::components_on_box({20, 20, 20}, count, 0, 12, rng);
      recipe.corrupt(0.15, rng);
      recipe.lose(0.1, rng);
      const BoxProblem problem(std::move(recipe), 12);
      const Factors found = problem.found(count);
      ASSERT_FALSE(found.empty()) << count << ' ' << seed;
      EXPECT_LT(problem.recipe.error(joined(problem.first, found)), 1e-7) << count << ' ' << seed;
    }
  }
}

TEST(BoxComponents, ErrorsAloneAreNoComponent) {
  for (const int count : {1, 2}) {
    Rng rng(1);
    test::Recipe recipe(test::normal_component({20, 20, 20}, rng));
    recipe.corrupt(0.5, rng);
    const BoxProblem problem(std::move(recipe), 10);
    EXPECT_TRUE(problem.found(count).empty()) << count;
  }
}

}  // namespace
}  // namespace sunder::robust
