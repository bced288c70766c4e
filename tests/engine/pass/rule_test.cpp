#include "engine/pass/rule.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

const Rule robust_rules[] = {Rule::hard_threshold(2), Rule::geman_mcclure(2), Rule::huber(2),
                             Rule::tukey(2)};

TEST(Rule, CostsAreCloseToTheScaledSquareForSmallResiduals) {
  for (const Rule& rule : robust_rules) {
    const double u = (1e-3 / 2) * (1e-3 / 2);
    EXPECT_NEAR(rule.cost(1e-3) / u, 1, 1e-5);
    EXPECT_EQ(rule.cost(0), 0);
  }
  EXPECT_EQ(Rule::keep_all().cost(3), 9);
}

TEST(Rule, TheKeptResidualIsHalfTheSlopeOfTheCost) {
  // K = w R with w = rho'(R) c^2 / (2 R): what makes reweighted least squares descend.
  for (const Rule& rule : {Rule::geman_mcclure(2), Rule::huber(2), Rule::tukey(2)}) {
    for (const double r : {-5.0, -1.7, 0.3, 1.9, 2.5}) {
      const double slope = (rule.cost(r + 1e-6) - rule.cost(r - 1e-6)) / 2e-6;
      EXPECT_NEAR(rule.kept(r), slope * 2 * 2 / 2, 1e-6);
    }
  }
}

TEST(Rule, RejectsFromItsScaleOn) {
  for (const Rule& rule : robust_rules) {
    EXPECT_TRUE(rule.keeps(-1.999));
    EXPECT_FALSE(rule.keeps(2));
    EXPECT_FALSE(rule.keeps(-2.5));
  }
  EXPECT_TRUE(Rule::hard_threshold(0).keeps(0));
  EXPECT_TRUE(Rule::keep_all().keeps(1e300));
}

}  // namespace
}  // namespace sunder
