#include "algorithms/robust_cp/core/exact/sharpening.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

CoreSolution started_near(const test::PlantedCore& planted, double error) {
  CoreSolution solution;
  solution.spread = spread(planted.core, thinned(informative(planted.core)));
  solution.factors = planted.truth;
  Rng rng(3);
  for (Matrix& factor : solution.factors) {
    for (double& x : factor.reshaped()) x *= 1 + error * rng.normal();
  }
  return solution;
}

TEST(Sharpening, GoesDownToRounding) {
  for (const double missing : {0.0, 0.3}) {
    const auto planted =
        test::planted_core({16, 15, 14}, 3, {.density = 0.3, .missing = missing}, 1);
    CoreSolution solution = started_near(planted, 1e-7);
    EXPECT_GT(planted.error(solution.factors), 1e-8);
    Monitor monitor;
    sharpen(planted.core, {}, solution, monitor);
    EXPECT_LT(planted.error(solution.factors), 1e-13) << missing;
  }
}

TEST(Sharpening, WhatIsSharpStays) {
  const auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0.2}, 2);
  CoreSolution solution = started_near(planted, 0);
  Monitor monitor;
  sharpen(planted.core, {}, solution, monitor);
  EXPECT_LT(planted.error(solution.factors), 1e-14);
}

TEST(Sharpening, ComponentsOfRoundingBecomeZero) {
  auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0.2}, 3);
  CoreSolution solution = started_near(planted, 0);
  for (Matrix& factor : solution.factors) {
    factor.conservativeResize(Eigen::NoChange, 3);
    factor.col(2).setConstant(1e-6);
  }
  Monitor monitor;
  sharpen(planted.core, {}, solution, monitor);
  for (const Matrix& factor : solution.factors) EXPECT_EQ(factor.col(2).norm(), 0);
}

/// The last component is the second one again, in two of three modes: together they are one.
TEST(Sharpening, SettlingSurplusDoesNotChangeTheModel) {
  Factors factors = test::normal_factors({10, 11, 12}, 3, 4);
  factors[0].col(2) = factors[0].col(1);
  factors[1].col(2) = factors[1].col(1);
  const Factors before = factors;
  settle_surplus(factors);
  EXPECT_LT(distance(factors, before), 1e-12 * norm(before));
  EXPECT_LT((factors[2].col(1) - factors[2].col(2)).norm(), 1e-9 * factors[2].norm());
}

TEST(Sharpening, WhatIsDeterminedIsSettled) {
  Factors factors = test::normal_factors({10, 11, 12}, 3, 5);
  const Factors before = factors;
  settle_surplus(factors);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(factors[m], before[m]);
}

}  // namespace
}  // namespace sunder::robust
