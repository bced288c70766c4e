#include "algorithms/robust_cp/core/algebra/factors.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(Factors, BalancingChangesLengthsAndNotTheModel) {
  Factors factors = test::normal_factors({5, 6, 7}, 2, 1);
  const Factors before = factors;
  factors[0] *= 1e3;
  factors[2].col(1) *= 1e-3;
  factors[1].col(0) *= 1e-3;
  factors[1] *= 1;
  balance(factors);
  for (Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(factors[0].col(i).norm() / factors[1].col(i).norm(), 1, 1e-12);
    EXPECT_NEAR(factors[0].col(i).norm() / factors[2].col(i).norm(), 1, 1e-12);
  }
  EXPECT_LT(distance(factors, before), 1e-12 * norm(before));
}

TEST(Factors, AComponentOfZeroStaysFinite) {
  Factors factors = test::normal_factors({5, 6, 7}, 2, 2);
  factors[1].col(0).setZero();
  balance(factors);
  for (const Matrix& factor : factors) EXPECT_TRUE(factor.allFinite());
  EXPECT_EQ(component_sizes(factors)[0], 0);
}

TEST(Factors, SizesOfComponentsAreTheirNorms) {
  const Factors factors = test::normal_factors({5, 6, 7}, 2, 3);
  for (Index i = 0; i < 2; ++i) {
    Factors single;
    for (const Matrix& factor : factors) single.emplace_back(factor.col(i));
    EXPECT_NEAR(component_sizes(factors)[i], evaluate(single).matrix().norm(), 1e-12);
  }
}

TEST(Factors, AStepAddsToEveryMode) {
  const Factors factors = test::normal_factors({3, 4}, 2, 4);
  const Factors delta = test::normal_factors({3, 4}, 2, 5);
  const Factors next = stepped(factors, delta);
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(next[m], factors[m] + delta[m]);
}

}  // namespace
}  // namespace sunder::robust
