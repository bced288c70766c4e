#include "algorithms/robust_cp/consensus/other_starts.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// A component everywhere and two on boxes, without errors.
TEST(OtherStarts, ComponentsOnBoxesAreFound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    const Shape shape{16, 16, 16};
    Factors truth = test::normal_component(shape, rng);
    truth = joined(truth, test::on_box(test::normal_component(shape, rng), 0, 7));
    truth = joined(truth, test::on_box(test::normal_component(shape, rng), 5, 7));
    const test::Recipe recipe(truth);
    const Window window = recipe.window();
    CoreSolution known;
    known.spread = window.spread;
    for (const Index extent : shape) known.factors.emplace_back(Matrix::Zero(extent, 3));
    Monitor monitor;
    const CoreSolution found =
        solve_from_other_starts(window.core, known, {.most_components = 3}, {}, rng, monitor);
    EXPECT_TRUE(found.exact && found.determines_low_rank()) << seed;
    EXPECT_LT(recipe.error(found.factors), 1e-10) << seed;
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
  EXPECT_FALSE(
      solve_from_other_starts(core, known, {.most_components = 2}, {}, rng, monitor).exact);
}

}  // namespace
}  // namespace sunder::robust
