#include "algorithms/robust_cp/noise/noisy_run.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

/// A fit that was reached twice, with errors, noise in spreads of the data, and structure.
NoisySampled fit_with(double errors, double noise, double structure) {
  NoisySampled sampled;
  sampled.solution.agreeing = 1;
  sampled.solution.fit.factors = {Matrix::Ones(3, 1), Matrix::Ones(3, 1)};
  sampled.solution.fit.noise.scales = {Vector::Ones(3), Vector::Ones(3)};
  sampled.solution.fit.noise.variance = noise * noise;
  sampled.solution.fit.noise.outlier_share = errors;
  sampled.structure = structure;
  sampled.exact.spread = 1;
  return sampled;
}

TEST(NoisyRun, PlainNoiseEndsTheSearch) { EXPECT_TRUE(fit_with(0.4, 0.3, 1).ends_the_search()); }

TEST(NoisyRun, LittleNoiseEndsItThoughItHasStructure) {
  EXPECT_TRUE(fit_with(0.05, 0.02, 3).ends_the_search());
}

TEST(NoisyRun, BlocksOfErrorsDoNotEndIt) {
  EXPECT_FALSE(fit_with(0.45, 0.02, 3).ends_the_search());
  EXPECT_FALSE(fit_with(0.0001, 0.4, 3).ends_the_search());
}

TEST(NoisyRun, NoiseAsLargeAsTheDataDoesNotEndIt) {
  EXPECT_FALSE(fit_with(0.05, 0.8, 1).ends_the_search());
}

}  // namespace
}  // namespace sunder::robust
