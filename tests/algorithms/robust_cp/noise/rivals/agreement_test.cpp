#include "algorithms/robust_cp/noise/rivals/agreement.hpp"

#include <gtest/gtest.h>

#include "../noisy_example.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;

Contender contender_of(const Factors& factors, double nats, bool is_independent) {
  Contender contender{"test", {}, is_independent};
  contender.fit.factors = factors;
  contender.fit.nats = nats;
  return contender;
}

TEST(Agreement, OnlyIndependentStartsAgree) {
  const NoisyExample example = noisy_example({12, 11, 10}, 2, 0.1, 0, 1);
  NoisySolution solution;
  weigh(example.core, contender_of(example.truth, 1, true), solution);
  weigh(example.core, contender_of(example.truth, 1.1, false), solution);
  EXPECT_EQ(solution.agreeing, 0);
  weigh(example.core, contender_of(example.truth, 1.1, true), solution);
  EXPECT_EQ(solution.agreeing, 1);
  EXPECT_TRUE(solution.rival.empty());
}

TEST(Agreement, ABetterFitWithAnotherModelTakesOver) {
  const NoisyExample example = noisy_example({12, 11, 10}, 2, 0.1, 0, 2);
  const NoisyExample other = noisy_example({12, 11, 10}, 2, 0.1, 0, 3);
  NoisySolution solution;
  weigh(example.core, contender_of(other.truth, 1, true), solution);
  weigh(example.core, contender_of(other.truth, 1, true), solution);
  EXPECT_EQ(solution.agreeing, 1);
  weigh(example.core, contender_of(example.truth, 0.7, true), solution);
  EXPECT_EQ(solution.agreeing, 0);
  EXPECT_EQ(solution.fit.nats, 0.7);
  EXPECT_NEAR(solution.rival_gap, 0.3, 1e-12);
  EXPECT_GT(solution.rival_distance, 0.5);
}

}  // namespace
}  // namespace sunder::robust
