#include "algorithms/robust_cp/consensus/rows/row_moves.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

RowMoves moved(const Window& window, Factors& factors) {
  Rng rng(1);
  Monitor monitor;
  return improve_rows(window, factors, rng, monitor);
}

/// The multiple of the second component explains 48% of the entries that it reaches, the truth 52%.
TEST(RowMoves, ARowAlteredWhereItIsLargestIsFoundAgain) {
  for (const Shape& shape : {Shape{16, 16, 16}, Shape{40, 40, 3}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const test::Recipe recipe = test::recipe_d(shape, seed);
      const Window window = recipe.window();
      Monitor monitor;
      Factors factors = recipe.truth;
      factors[0](0, 1) *= 2.7;
      const Index before = window.fitted(factors, monitor);
      const RowMoves moves = moved(window, factors);
      EXPECT_LT(recipe.error(factors), 1e-12) << to_string(shape) << ' ' << seed;
      EXPECT_EQ(before + moves.gain, window.fitted(recipe.truth, monitor));
      EXPECT_GT(moves.gain, 0);
    }
  }
}

TEST(RowMoves, RowsOfEveryModeAreReplaced) {
  Rng rng(3);
  test::Recipe recipe(test::normal_components({14, 15, 16}, 3, rng));
  recipe.corrupt(0.2, rng);
  recipe.lose(0.2, rng);
  const Window window = recipe.window();
  Factors factors = recipe.truth;
  factors[0].row(3) << 1, 2, 3;
  factors[1](4, 1) = 0;
  factors[2].row(5) *= -1;
  const RowMoves moves = moved(window, factors);
  EXPECT_GT(moves.gain, 0);
  EXPECT_LT(recipe.error(factors), 1e-12);
}

TEST(RowMoves, SafeRowsKeepTheirBits) {
  Rng rng(4);
  test::Recipe recipe(test::normal_components({14, 15, 16}, 3, rng));
  recipe.corrupt(0.3, rng);
  Factors factors = recipe.truth;
  const RowMoves moves = moved(recipe.window(), factors);
  EXPECT_EQ(moves.gain, 0);
  EXPECT_EQ(moves.ties, 0);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(factors[m], recipe.truth[m]);
}

/// Half of a slice follows another row.
TEST(RowMoves, ARowThatFitsAsMuchIsATie) {
  for (const Index more : {0, 2}) {
    Rng rng(5);
    test::Recipe recipe(test::normal_components({14, 12, 12}, 2, rng));
    Factors other = recipe.truth;
    other[0].row(6) << 0.7, -1.2;
    const Entries L = evaluate(other);
    for (Index i = 0; i < 72 - more; ++i) {
      recipe.tensor.typed<double>()[6 * 144 + 2 * i] = L[6 * 144 + 2 * i];
    }
    Factors factors = recipe.truth;
    const RowMoves moves = moved(recipe.window(), factors);
    EXPECT_EQ(moves.gain, 0) << more;
    EXPECT_EQ(moves.ties, more == 0 ? 1 : 0) << more;
  }
}

TEST(RowMoves, ModesThatShareAFactorMoveTogether) {
  Rng rng(6);
  Factors truth = test::normal_components({15, 15, 12}, 2, rng);
  truth[1] = truth[0];
  test::Recipe recipe(truth);
  recipe.corrupt(0.1, rng);
  Window window = recipe.window();
  window.constraints = ModeConstraints({{{0, 1}}, {}}, recipe.shape());
  Factors factors = truth;
  factors[0].row(4) *= 1.5;
  factors[1] = factors[0];
  EXPECT_GT(moved(window, factors).gain, 0);
  EXPECT_EQ(factors[0], factors[1]);
  EXPECT_LT(recipe.error(factors), 1e-12);
}

}  // namespace
}  // namespace sunder::robust
