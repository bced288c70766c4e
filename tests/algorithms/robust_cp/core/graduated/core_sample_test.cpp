#include "algorithms/robust_cp/core/graduated/core_sample.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

std::vector<Index> every_entry(const DenseCore& core) {
  std::vector<Index> entries(core.values.size());
  std::iota(entries.begin(), entries.end(), Index{0});
  return entries;
}

TEST(CoreSample, AFewEntriesAreAllTaken) {
  const auto planted = test::planted_core({9, 8, 7}, 2, {}, 1);
  Rng rng(1);
  const CoreSample sample(planted.core, every_entry(planted.core), rng);
  const Factors model = test::normal_factors({9, 8, 7}, 3, 2);
  const Entries expected = residual(planted.core, model);
  const Entries found = sample.residual(model);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_LT((found - expected).abs().maxCoeff(), 1e-13 * expected.abs().maxCoeff());
}

TEST(CoreSample, ManyEntriesAreDrawn) {
  const auto planted = test::planted_core({30, 30, 30}, 2, {.density = 0.3}, 2);
  Rng rng(1);
  const CoreSample sample(planted.core, every_entry(planted.core), rng);
  const Entries R = sample.residual(planted.truth);
  EXPECT_EQ(R.size(), levels::graduated::sample);
  EXPECT_NEAR((R.abs() > 1e-9).cast<double>().mean(), 0.3, 0.02);
}

TEST(CoreSample, ComponentsAddUp) {
  const auto planted = test::planted_core({9, 8, 7}, 2, {.density = 0}, 3);
  Rng rng(1);
  const CoreSample sample(planted.core, every_entry(planted.core), rng);
  const Entries L = sample.component(planted.truth, 0) + sample.component(planted.truth, 1);
  EXPECT_LT((L - planted.core.values).abs().maxCoeff(), 1e-13 * L.abs().maxCoeff());
}

TEST(CoreSample, TheRobustCostCountsOutliersOnce) {
  Entries R = Entries::Zero(100);
  EXPECT_EQ(robust_cost(R, 1), 0);
  R[3] = 1;
  EXPECT_EQ(robust_cost(R, 1), 0.005);
  R[3] = 1e9;
  EXPECT_NEAR(robust_cost(R, 1), 0.01, 1e-12);
}

TEST(CoreSample, WithoutAComponentTheCostIsHigherByWhatItIsWorth) {
  const auto planted = test::planted_core({12, 12, 12}, 3, {.density = 0.2}, 4);
  Rng rng(1);
  const CoreSample sample(planted.core, every_entry(planted.core), rng);
  Factors model = planted.truth;
  for (Matrix& factor : model) factor.col(1) *= 1e-3;
  const Eigen::ArrayXd loss = leave_one_out(sample, model, sample.residual(model), 0.5);
  EXPECT_GT(loss[0], 0.03);
  EXPECT_GT(loss[2], 0.03);
  EXPECT_LT(std::abs(loss[1]), 1e-6);
}

}  // namespace
}  // namespace sunder::robust
