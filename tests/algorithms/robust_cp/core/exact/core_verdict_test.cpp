#include "algorithms/robust_cp/core/exact/core_verdict.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

CoreSolution judged(const DenseCore& core, const Factors& factors) {
  const std::vector<Index> entries = thinned(informative(core));
  CoreSolution solution;
  solution.factors = factors;
  solution.spread = spread(core, entries);
  judge(core, entries, solution);
  return solution;
}

TEST(CoreVerdict, UnknownsAreThoseOfRowsThatAreNotZero) {
  Factors factors = test::normal_factors({5, 6, 7}, 2, 1);
  EXPECT_EQ(unknowns(factors), 36);
  factors[1].row(3).setZero();
  EXPECT_EQ(unknowns(factors), 34);
}

TEST(CoreVerdict, TheTruthIsExactAndOthersAreNot) {
  const auto planted = test::planted_core({15, 15, 15}, 2, {.density = 0.4}, 2);
  EXPECT_TRUE(judged(planted.core, planted.truth).exact);
  EXPECT_NEAR(judged(planted.core, planted.truth).exact_share, 0.6, 0.03);
  Factors nearby = planted.truth;
  nearby[0] *= 1 + 1e-5;
  EXPECT_FALSE(judged(planted.core, nearby).exact);
  EXPECT_FALSE(judged(planted.core, test::normal_factors({15, 15, 15}, 2, 3)).exact);
}

/// Nine of ten entries are outliers: the model may be an accident.
TEST(CoreVerdict, AFewFittedEntriesAreNotEnough) {
  const auto planted = test::planted_core({15, 15, 15}, 2, {.density = 0.9}, 4);
  EXPECT_FALSE(judged(planted.core, planted.truth).exact);
}

/// A tenth of the slices off by ten times the rounding level.
TEST(CoreVerdict, ResidualsBetweenRoundingAndOutliersSpeakAgainstIt) {
  auto planted = test::planted_core({20, 20, 20}, 2, {.density = 0}, 5);
  const double off = 10 * rounding_level * judged(planted.core, planted.truth).spread;
  planted.core.values.head(2 * 400) += off;
  EXPECT_FALSE(judged(planted.core, planted.truth).exact);
  EXPECT_GT(judged(planted.core, planted.truth).exact_share, 0.85);
}

/// A zero is fitted by any model that is zero there.
TEST(CoreVerdict, EntriesWhereTheModelIsZeroDoNotCount) {
  auto planted = test::planted_core({20, 20, 20}, 1, {.density = 0}, 6);
  planted.truth[0].bottomRows(15).setZero();
  planted.core.values = evaluate(planted.truth);
  EXPECT_EQ(judged(planted.core, planted.truth).exact_share, 1);
  Factors wrong = planted.truth;
  wrong[1] *= 1.5;
  EXPECT_EQ(judged(planted.core, wrong).exact_share, 0);
}

TEST(CoreVerdict, NormalResidualsLookLikeNoise) {
  Rng rng(7);
  std::vector<double> magnitudes;
  for (int k = 0; k < 20'000; ++k) magnitudes.push_back(std::abs(0.01 * rng.normal()));
  EXPECT_TRUE(is_noise_like(magnitudes, 0.01, 1));
  EXPECT_FALSE(is_noise_like(magnitudes, 0.01, 1e4)) << "rounding";
  EXPECT_FALSE(is_noise_like(magnitudes, 0.01, 0.02)) << "as large as the data";
  for (double& x : magnitudes) x *= x / 0.01;
  EXPECT_FALSE(is_noise_like(magnitudes, 0.01, 1)) << "crowded around zero";
}

TEST(CoreVerdict, NoiseMustBeTheRule) {
  Rng rng(8);
  std::vector<double> magnitudes(20'000, 5.0);
  for (std::size_t k = 0; k < 3'000; ++k) magnitudes[k] = std::abs(0.01 * rng.normal());
  EXPECT_FALSE(is_noise_like(magnitudes, 0.01, 1));
}

/// The unit is that of L, however large the other entries are.
TEST(CoreVerdict, RoundingIsMeasuredByTheModel) {
  const Factors factors = test::normal_factors({10, 10, 10}, 2, 9);
  const double rms = norm(factors) / std::sqrt(1000.0);
  PassStatistics fitted;
  fitted.kept = 500;
  fitted.kept_square_sum = 500 * std::pow(1e-7 * rms, 2);
  EXPECT_TRUE(is_fitted_to_rounding(factors, fitted, 1e-6));
  fitted.kept_square_sum *= 9;
  EXPECT_FALSE(is_fitted_to_rounding(factors, fitted, 1e-6));
  EXPECT_TRUE(is_fitted_to_rounding({Matrix::Zero(3, 1), Matrix::Zero(3, 1)}, fitted, 1e-6));
}

}  // namespace
}  // namespace sunder::robust
