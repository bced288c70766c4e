#include "algorithms/robust_cp/inference/sparse_rule.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/inference/planted_residuals.hpp"

namespace sunder::robust {
namespace {

NoisyFit fit_of(const test::Residuals& planted) {
  NoisyFit fit;
  fit.noise = planted.noise;
  fit.counted_under = planted.noise;
  fit.residuals = planted.counts;
  return fit;
}

TEST(SparseRule, TheLevelDecidesAndTheUnitIsTheDeviation) {
  const test::Residuals planted = test::planted_residuals({.least = 9, .most = 17}, 31041);
  const SparseRule rule(fit_of(planted), {});
  EXPECT_TRUE(rule.summary().known);
  EXPECT_NEAR(rule.summary().null_scale, 1, 0.05);
  EXPECT_TRUE(rule.is_error(12 * 3, 9, 0.5));
  EXPECT_FALSE(rule.is_error(2 * 3, 9, 0.5));
  EXPECT_LT(rule.q(12 * 3, 9, 0.5), 1e-6);
}

TEST(SparseRule, AWidthIsAPlainRule) {
  const test::Residuals planted = test::planted_residuals({.least = 9, .most = 17}, 31042);
  const SparseRule rule(fit_of(planted), {.width = 4});
  EXPECT_FALSE(rule.summary().known);
  EXPECT_TRUE(rule.is_error(4.01, 1, 1));
  EXPECT_FALSE(rule.is_error(3.99, 1, 0));
}

TEST(SparseRule, SmallResidualsAreNeverErrors) {
  const test::Residuals planted = test::planted_residuals({}, 31043);
  EXPECT_FALSE(SparseRule(fit_of(planted), {.least = 100}).is_error(50, 1, 0));
}

TEST(SparseRule, CountsAreJudgedByTheirOwnDistribution) {
  NoisyFit fit = fit_of(test::planted_residuals({}, 31044));
  fit.noise.count_unit = 1;
  const SparseRule rule(fit, {});
  EXPECT_FALSE(rule.summary().known);
  EXPECT_TRUE(rule.is_error(1, 1, 0.04));
  EXPECT_FALSE(rule.is_error(1, 1, 0.06));
}

}  // namespace
}  // namespace sunder::robust
