#include <gtest/gtest.h>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/noise/model/likelihood.hpp"
#include "algorithms/robust_cp/noise/model/reference/likelihood.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;

/// What a pass may have to deal with.
struct Case {
  Shape shape;
  Index rank;
  bool missing = false;
  bool ends = false;
  bool wide = false;
  bool grows = false;
};

std::string to_string(const Case& c) {
  return sunder::to_string(c.shape) + ", rank " + std::to_string(c.rank) +
         (c.missing ? ", missing" : "") + (c.ends ? ", ends" : "") + (c.wide ? ", wide" : "") +
         (c.grows ? ", grows" : "");
}

NoiseModel noise_of(const Case& c, const DenseCore& core, const Factors& factors, Rng& rng) {
  NoiseModel noise = first_noise(core, factors, false);
  for (Vector& scale : noise.scales) {
    for (double& a : scale) a = std::exp(0.3 * rng.normal());
  }
  for (double& f : noise.outlier_density) f *= std::exp(0.5 * rng.normal());
  for (double& f : noise.outlier_slope) f = rng.normal() / noise.sigma();
  noise.has_wide_inliers = c.wide;
  noise.wide_share = c.wide ? 0.2 : 0;
  noise.depends_on_signal = c.grows;
  noise.growth = {0.7, 0.4};
  noise.unit *= 0.8;
  return noise;
}

NoisyExample example_of(const Case& c, Rng& rng) {
  NoisyExample example = noisy_example(c.shape, c.rank, 0.1, 0.2, 7);
  DenseCore& core = example.core;
  if (c.ends) {
    core.highest = core.values.maxCoeff() / 4;
    core.lowest = core.values.minCoeff() / 3;
    core.values = core.values.max(core.lowest).min(core.highest);
  }
  if (c.missing) {
    core.observed = core.values.unaryExpr([&](double) { return rng.bernoulli(0.7) ? 1.0 : 0.0; });
    core.values *= core.observed;
  }
  return example;
}

void expect_near(const Vector& a, const Vector& b, double tolerance, const char* what) {
  EXPECT_LT((a - b).norm(), tolerance * b.norm()) << what;
}

/// The fast pass is in single precision once it has the residuals.
void compare(const LikelihoodSums& fast, const LikelihoodSums& slow) {
  constexpr double tolerance = 2e-6;
  EXPECT_NEAR(fast.nats, slow.nats, tolerance * slow.observed);
  EXPECT_EQ(fast.observed, slow.observed);
  for (std::size_t m = 0; m < slow.gradient.size(); ++m) {
    EXPECT_LT((fast.gradient[m] - slow.gradient[m]).norm(), tolerance * slow.gradient[m].norm());
    expect_near(fast.slices[m].score, slow.slices[m].score, tolerance, "score");
    expect_near(fast.slices[m].weight, slow.slices[m].weight, tolerance, "weight");
    expect_near(fast.slices[m].inliers, slow.slices[m].inliers, tolerance, "inliers");
    expect_near(fast.slices[m].squares, slow.slices[m].squares, tolerance, "squares");
    EXPECT_EQ(fast.slices[m].observed, slow.slices[m].observed);
  }
}

/// Entries at the very edge of a bin may fall on either side of it.
template <class Bins>
void expect_nearly_the_same_bins(const Bins& fast, const Bins& slow) {
  double moved = 0;
  double all = 0;
  for (std::size_t k = 0; k < slow.size(); ++k) {
    moved += std::abs(fast[k] - slow[k]);
    all += std::abs(slow[k]);
  }
  EXPECT_LE(moved, 2e-3 * all + 2);
}

class LikelihoodPass : public testing::TestWithParam<Case> {};

TEST_P(LikelihoodPass, AgreesWithTheReference) {
  SCOPED_TRACE(to_string(GetParam()));
  Rng rng(11);
  const NoisyExample example = example_of(GetParam(), rng);
  Factors factors = example.truth;
  for (Matrix& f : factors) f *= 1.02;
  const NoiseModel noise = noise_of(GetParam(), example.core, factors, rng);
  Monitor monitor;
  EntryWeights fast_weights;
  EntryWeights slow_weights;
  const LikelihoodSums fast = likelihood_sums(example.core, factors, noise, monitor, &fast_weights);
  const LikelihoodSums slow =
      reference::likelihood_sums(example.core, factors, noise, &slow_weights);
  compare(fast, slow);
  expect_nearly_the_same_bins(fast.residuals.counts, slow.residuals.counts);
  expect_nearly_the_same_bins(fast.signal.inliers, slow.signal.inliers);
  expect_nearly_the_same_bins(fast.signal.squares, slow.signal.squares);
  expect_nearly_the_same_bins(fast.signal.second, slow.signal.second);
  expect_near(fast_weights.curvature, slow_weights.curvature, 1e-5, "curvature");
  expect_near(fast_weights.inlier, slow_weights.inlier, 1e-5, "inlier");
  expect_near(fast_weights.variance, slow_weights.variance, 1e-5, "variance");
}

INSTANTIATE_TEST_SUITE_P(Likelihood, LikelihoodPass,
                         testing::Values(Case{{7, 5}, 1}, Case{{3, 40}, 2, true},
                                         Case{{4, 3, 5}, 2}, Case{{9, 11, 13}, 3, false, true},
                                         Case{{5, 21, 61}, 3}, Case{{17, 7, 131}, 4, true, true},
                                         Case{{6, 9, 300}, 5, false, false, true},
                                         Case{{12, 10, 33}, 9, false, false, false, true},
                                         Case{{8, 7, 16}, 13, true, false, true, true},
                                         Case{{4, 5, 6, 7}, 3, true, true, true, true},
                                         Case{{5, 2, 9, 100}, 2}, Case{{3, 4, 2, 5, 6}, 4, true},
                                         Case{{2, 3, 4, 3, 70}, 6, false, true}),
                         [](const auto& info) { return "case" + std::to_string(info.index); });

TEST(LikelihoodOfAPass, SeesSmallNoiseUnderALargeSignal) {
  const NoisyExample example = noisy_example({20, 21, 22}, 3, 1e-9, 0.1, 3);
  Rng rng(1);
  const NoiseModel noise = noise_of({example.core.shape, 3}, example.core, example.truth, rng);
  Monitor monitor;
  const LikelihoodSums fast = likelihood_sums(example.core, example.truth, noise, monitor);
  compare(fast, reference::likelihood_sums(example.core, example.truth, noise));
}

TEST(LikelihoodOfAPass, SumsBySignalOfASampleHaveTheShapeOfThoseOfAll) {
  const NoisyExample example = noisy_example({60, 50, 40}, 2, 0.2, 0.1, 4);
  NoiseModel noise = first_noise(example.core, example.truth, false);
  Monitor monitor;
  const LikelihoodSums fast = likelihood_sums(example.core, example.truth, noise, monitor);
  const LikelihoodSums slow = reference::likelihood_sums(example.core, example.truth, noise);
  for (int b = 0; b < SignalSums::bins; ++b) {
    const double count = fast.signal.inliers[b];
    if (count < 100) continue;
    EXPECT_NEAR(fast.signal.squares[b] / count, slow.signal.squares[b] / slow.signal.inliers[b],
                5 * std::sqrt(2 / count));
    EXPECT_LT(count, slow.signal.inliers[b]);
  }
}

TEST(LikelihoodOfAPass, WhatIsNotANumberMakesTheLikelihoodNone) {
  const NoisyExample example = noisy_example({6, 5, 40}, 2, 0.1, 0.1, 5);
  const NoiseModel noise = first_noise(example.core, example.truth, false);
  Factors broken = example.truth;
  broken[0](2, 1) = std::numeric_limits<double>::quiet_NaN();
  Monitor monitor;
  EXPECT_TRUE(std::isnan(likelihood_sums(example.core, broken, noise, monitor).nats));
}

}  // namespace
}  // namespace sunder::robust
