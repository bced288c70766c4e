#include "algorithms/robust_cp/noise/starts/starts.hpp"

#include <gtest/gtest.h>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/noise/starts/descent.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;
using test::relative_error;

TEST(RespawnedStart, BringsBackAComponentThatAFitLacks) {
  const NoisyExample example = noisy_example({24, 22, 20}, 3, 0.02, 0.1, 3);
  Factors lacking = example.truth;
  lacking[0].col(1) /= 2;  // two share what is one, and the third is not there
  for (Matrix& factor : lacking) factor.col(2) = factor.col(1);
  Rng rng(3);
  Monitor monitor;
  const double scale = std::sqrt(example.core.values.square().mean());
  const Factors found = respawned_start(example.core, lacking, 3, scale, rng, monitor);
  EXPECT_EQ(found.front().cols(), 3);
  EXPECT_LT(relative_error(found, example.truth), 0.05);
}

TEST(TellingQuantile, FollowsEntriesWhereTheModelIsLarge) {
  Entries L = Entries::Zero(1000);
  Entries R = Entries::Constant(1000, 0.01);
  L.head(100).setOnes();
  R.head(100).setConstant(2);
  EXPECT_NEAR(telling_quantile(R, L, 0.25), 2, 1e-12);
  EXPECT_NEAR(telling_quantile(R, Entries::Zero(1000), 0.25), 0.01, 1e-12);
  EXPECT_LT(telling_quantile(Entries(), Entries(), 0.25), 1e-200);
}

}  // namespace
}  // namespace sunder::robust
