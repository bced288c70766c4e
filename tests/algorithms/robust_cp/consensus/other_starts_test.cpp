#include "algorithms/robust_cp/consensus/other_starts.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// Most entries are zero, and components overlap on the others: no model of fewer fits many.
TEST(OtherStarts, ComponentsOnFewEntriesWithoutErrorsAreFound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    const Shape shape{16, 16, 16};
    Factors truth = test::on_box(test::normal_component(shape, rng), 0, 7);
    truth = joined(truth, test::on_box(test::normal_component(shape, rng), 3, 7));
    truth = joined(truth, test::on_box(test::normal_component(shape, rng), 5, 7));
    const test::Recipe recipe(truth);
    const Window window = recipe.window();
    CoreSolution known;
    known.spread = window.spread;
    for (const Index extent : shape) known.factors.emplace_back(Matrix::Zero(extent, 3));
    Monitor monitor;
    const CoreSolution found = solve_from_other_starts(
        window.core, known, {.most_components = 3}, {}, rng, monitor);
    EXPECT_TRUE(found.exact) << seed;
    EXPECT_TRUE(found.determines_low_rank()) << seed;
    EXPECT_LT(recipe.error(found.factors), 1e-10) << seed;
  }
}

/// Plain least squares is right where there are no errors.
TEST(OtherStarts, ATensorWithoutErrorsIsFound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    const test::Recipe recipe(test::normal_components({12, 13, 14}, 3, rng));
    const Window window = recipe.window();
    CoreSolution known;
    known.spread = window.spread;
    known.factors = test::normal_components(recipe.shape(), 3, rng);
    Monitor monitor;
    for (const bool chosen : {false, true}) {
      const CoreSolution found =
          solve_from_other_starts(window.core, known, {.most_components = 4, .chosen = chosen}, {},
                                  rng, monitor);
      EXPECT_TRUE(found.exact && found.determined()) << seed;
      EXPECT_EQ(found.factors.front().cols(), chosen ? 3 : 4) << seed;
      EXPECT_LT(recipe.error(found.factors), 1e-10) << seed;
    }
  }
}

TEST(OtherStarts, NothingIsFoundInNoise) {
  Rng rng(4);
  DenseCore core;
  core.shape = Shape{10, 10, 10};
  core.values = Entries::NullaryExpr(1000, [&] { return rng.normal(); });
  CoreSolution known;
  known.spread = 1;
  known.factors = test::normal_components(core.shape, 2, rng);
  Monitor monitor;
  EXPECT_FALSE(solve_from_other_starts(core, known, {.most_components = 2}, {}, rng, monitor).exact);
}

}  // namespace
}  // namespace sunder::robust
