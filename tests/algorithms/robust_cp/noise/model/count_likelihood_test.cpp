#include "algorithms/robust_cp/noise/model/count_likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/noise/noisy_core.hpp"

namespace sunder::robust {
namespace {

/// By multiplication of uniform numbers (Knuth), which suffices for small means.
double poisson(double mean, Rng& rng) {
  double count = 0;
  for (double p = rng.uniform(); p > std::exp(-mean); p *= rng.uniform()) count += 1;
  return count;
}

/// Counts with a mean near one, of which a few are errors.
test::NoisyExample counts_example(const Shape& shape, Index rank, double unit) {
  Rng rng(3);
  test::NoisyExample example;
  for (const Index extent : shape) {
    example.truth.emplace_back(
        Matrix::NullaryExpr(extent, rank, [&] { return rng.uniform(0.2, 1.2); }));
  }
  example.core.shape = shape;
  example.core.values = evaluate(example.truth);
  for (double& x : example.core.values) {
    x = unit * (poisson(x, rng) + (rng.bernoulli(0.05) ? std::floor(rng.uniform(10, 30)) : 0));
  }
  example.truth.front() *= unit;
  return example;
}

TEST(CountLikelihood, TheUnitIsSeenWhereAllEntriesAreCounts) {
  test::NoisyExample example = counts_example({8, 7, 6}, 2, 0.25);
  EXPECT_EQ(unit_of_counts(example.core), 0.25);
  example.core.values[5] = 0.3;
  EXPECT_EQ(unit_of_counts(example.core), 0);
  example.core.values[5] = -0.25;
  EXPECT_EQ(unit_of_counts(example.core), 0);
  example.core.values.setZero();
  EXPECT_EQ(unit_of_counts(example.core), 0);
}

TEST(CountLikelihood, TheGradientIsThatOfTheLikelihood) {
  const test::NoisyExample example = counts_example({6, 5, 4}, 2, 0.5);
  const NoiseModel noise = noise_of_counts(example.core, example.truth, 0.5);
  Monitor monitor;
  const LikelihoodSums sums = likelihood_sums(example.core, example.truth, noise, monitor);
  for (std::size_t m = 0; m < 3; ++m) {
    Factors moved = example.truth;
    moved[m](1, 1) += 1e-5;
    const double after = likelihood_sums(example.core, moved, noise, monitor).nats;
    EXPECT_NEAR((sums.nats - after) / 1e-5, sums.gradient[m](1, 1), 1e-2);
  }
}

TEST(CountLikelihood, CountsOfMeanOneAreFittedAsCounts) {
  const test::NoisyExample example = counts_example({25, 24, 23}, 2, 1);
  Rng rng(1);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 2, {}, rng, monitor);
  EXPECT_EQ(found.fit.noise.count_unit, 1);
  EXPECT_NEAR(found.fit.noise.outlier_share, 0.05, 0.01);
  // The components are nearly parallel, so the error of weighted least squares is only a guide.
  const Entries L = evaluate(example.truth);
  const double expected = std::sqrt(2 * 70 * L.mean() / (0.95 * L.square().sum()));
  EXPECT_LT(test::relative_error(found.fit.factors, example.truth), 1.5 * expected);
}

}  // namespace
}  // namespace sunder::robust
