#include "algorithms/robust_cp/core/graduated/small_als.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(SmallAls, NearTheModelItConvergesToIt) {
  const Factors truth = test::normal_factors({8, 9, 10}, 3, 1);
  Factors start = truth;
  Rng rng(1);
  for (Matrix& factor : start) {
    for (double& x : factor.reshaped()) x += 0.05 * rng.normal();
  }
  const AlsFit fit =
      small_als({8, 9, 10}, evaluate(truth), 3, rng, {.sweeps = 200, .tolerance = 1e-16}, &start);
  EXPECT_LT(distance(fit.factors, truth), 1e-5 * norm(truth));
}

TEST(SmallAls, TheCostIsThatOfTheModelAndFallsWithEverySweep) {
  const auto planted = test::planted_core({8, 9, 10}, 3, {.density = 0.3}, 2);
  const Entries& X = planted.core.values;
  double before = 1;
  for (const int sweeps : {1, 2, 4, 8, 16}) {
    Rng rng(3);
    const AlsFit fit = small_als(planted.core.shape, X, 2, rng, {.sweeps = sweeps});
    const double cost = (X - evaluate(fit.factors)).square().sum() / X.square().sum();
    EXPECT_NEAR(fit.relative_cost, cost, 1e-6);
    EXPECT_LE(fit.relative_cost, before + 1e-12);
    before = fit.relative_cost;
  }
}

TEST(SmallAls, ConstraintsOnSignsAreKept) {
  const auto planted = test::planted_core({8, 9, 10}, 2, {.density = 0}, 4);
  const ModeConstraints constraints({{}, {0, 2}}, planted.core.shape);
  Rng rng(5);
  const AlsFit fit = small_als(planted.core.shape, planted.core.values, 2, rng, {.sweeps = 30},
                               nullptr, constraints);
  EXPECT_GE(fit.factors[0].minCoeff(), 0);
  EXPECT_LT(fit.factors[1].minCoeff(), 0);
  EXPECT_GE(fit.factors[2].minCoeff(), 0);
}

}  // namespace
}  // namespace sunder::robust
