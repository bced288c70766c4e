#include "algorithms/robust_cp/core/algebra/curvature.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(Curvature, TellsWhetherComponentsAreDetermined) {
  Rng rng(5);
  Factors factors = test::normal_factors({20, 21, 22}, 4, 2);
  EXPECT_GT(smallest_curvature(factors, rng), 0.01);
  // A component that is zero says nothing.
  for (Matrix& factor : factors) factor.col(3).setZero();
  EXPECT_GT(smallest_curvature(factors, rng), 0.01);
  // Two that share two of three directions could exchange their third at will.
  factors[0].col(3) = factors[0].col(1);
  factors[1].col(3) = -2 * factors[1].col(1);
  factors[2].col(3).setRandom();
  EXPECT_LT(smallest_curvature(factors, rng), 1e-8);
}

TEST(Curvature, OfAMatrixIsThatOfItsSingularValues) {
  Rng rng(5);
  Factors factors = test::normal_factors({30, 20}, 3, 3);
  EXPECT_GT(smallest_curvature(factors, rng), 0.05);
  factors[1].col(2) = factors[1].col(0) + factors[1].col(1);
  EXPECT_LT(smallest_curvature(factors, rng), 1e-12);
}

}  // namespace
}  // namespace sunder::robust
