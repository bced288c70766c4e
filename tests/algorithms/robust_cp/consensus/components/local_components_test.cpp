#include "algorithms/robust_cp/consensus/components/local_components.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// The same L by other factors, in which no entry is zero.
Factors mixed(Factors factors, Rng& rng) {
  const Index rank = factors.front().cols();
  const Matrix map = Matrix::NullaryExpr(rank, rank, [&] { return rng.normal(); });
  factors[0] = factors[0] * map;
  factors[1] = factors[1] * map.inverse().transpose();
  return factors;
}

Index zeros_of(const Factors& factors) {
  Index count = 0;
  for (const Matrix& factor : factors) count += (factor.array() == 0).count();
  return count;
}

TEST(LocalComponents, AComponentOnABoxShowsAgain) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    const test::Recipe recipe = test::components_on_box({30, 40}, 1, 4, 12, rng);
    const Factors hidden = mixed(recipe.truth, rng);
    ASSERT_EQ(zeros_of(hidden), 0);
    const Factors local = with_local_components(hidden, rng);
    EXPECT_EQ(zeros_of(local), zeros_of(recipe.truth)) << seed;
    EXPECT_LT(recipe.error(local), 1e-12) << seed;
  }
}

TEST(LocalComponents, SoDoSeveralOnOneBox) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed, 2);
    const test::Recipe recipe = test::components_on_box({50, 45}, 3, 0, 25, rng);
    const Factors local = with_local_components(mixed(recipe.truth, rng), rng);
    EXPECT_EQ(local.front().cols(), 4);
    EXPECT_GE(zeros_of(local), zeros_of(recipe.truth)) << seed;
    EXPECT_LT(recipe.error(local), 1e-12) << seed;
  }
}

/// Some rows can always be made zero, and that says nothing.
TEST(LocalComponents, ComponentsAtWorkEverywhereStayAsTheyAre) {
  Rng rng(3);
  const Factors factors = test::normal_components({20, 25}, 3, rng);
  EXPECT_EQ(zeros_of(with_local_components(factors, rng)), 0);
}

/// Their components are unique.
TEST(LocalComponents, ModelsOfHigherOrderStayAsTheyAre) {
  Rng rng(4);
  const Factors factors = test::components_on_box({9, 8, 7}, 1, 0, 4, rng).truth;
  const Factors local = with_local_components(factors, rng);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(local[m], factors[m]);
}

}  // namespace
}  // namespace sunder::robust
