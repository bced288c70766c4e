#include "algorithms/robust_cp/noise/model/likelihood.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/noise/model/reference/likelihood.hpp"
#include "algorithms/robust_cp/noise/noisy_tensor.hpp"
#include "engine/kernels/mixture/cut_off.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;

NoiseModel uneven_noise(const DenseCore& core, const Factors& factors) {
  NoiseModel noise = first_noise(core, factors, false);
  Rng rng(5);
  for (Vector& scale : noise.scales) {
    for (double& a : scale) a = std::exp(0.3 * rng.normal());
  }
  return noise;
}

TEST(Likelihood, IsThatOfTheFormula) {
  const NoisyExample example = noisy_example({4, 3, 5}, 2, 0.1, 0.2, 1);
  const NoiseModel noise = uneven_noise(example.core, example.truth);
  const LikelihoodSums sums = reference::likelihood_sums(example.core, example.truth, noise);
  const Entries R = residual(example.core, example.truth);
  double nats = 0;
  for (Index i = 0; i < R.size(); ++i) {
    const ModeIndices at = example.core.shape.unravel(i);
    double v = noise.variance;
    for (int m = 0; m < 3; ++m) v *= noise.scales[m][at[m]];
    const double p = noise.outlier_share;
    const double normal = std::exp(-R[i] * R[i] / (2 * v)) / std::sqrt(2 * std::numbers::pi * v);
    nats -= std::log((1 - p) * normal + p / (2 * noise.range));
  }
  EXPECT_NEAR(sums.nats, nats, 1e-9 * std::abs(nats));
  EXPECT_EQ(sums.observed, 60);
}

TEST(Likelihood, ItsGradientIsThatOfDifferences) {
  for (const Shape& shape : {Shape{5, 4}, Shape{4, 3, 5}, Shape{3, 2, 4, 3}}) {
    const NoisyExample example = noisy_example(shape, 2, 0.1, 0.2, 2);
    const NoiseModel noise = uneven_noise(example.core, example.truth);
    const LikelihoodSums sums = reference::likelihood_sums(example.core, example.truth, noise);
    const double step = 1e-6;
    for (std::size_t m = 0; m < example.truth.size(); ++m) {
      const auto nats_at = [&](double change) {
        Factors moved = example.truth;
        moved[m](1, 1) += change;
        return reference::likelihood_sums(example.core, moved, noise).nats;
      };
      const double slope = (nats_at(-step) - nats_at(step)) / (2 * step);
      EXPECT_NEAR(sums.gradient[m](1, 1), slope, 1e-4 * (1 + std::abs(slope)))
          << to_string(shape) << " mode " << m;
    }
  }
}

TEST(Likelihood, HasTheSameBitsForAnyNumberOfThreads) {
  NoisyExample example = noisy_example({40, 30, 35}, 3, 0.1, 0.2, 3);
  const NoiseModel noise = uneven_noise(example.core, example.truth);
  Monitor monitor;
  const LikelihoodSums one = likelihood_sums(example.core, example.truth, noise, monitor);
  example.core.threads = 3;
  const LikelihoodSums three = likelihood_sums(example.core, example.truth, noise, monitor);
  EXPECT_EQ(one.nats, three.nats);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one.gradient[m], three.gradient[m]);
    EXPECT_EQ(one.slices[m].squares, three.slices[m].squares);
  }
  EXPECT_EQ(one.residuals.counts, three.residuals.counts);
}

TEST(Likelihood, EntriesAtTheEndOfTheRangeSayNothingWhereTheModelLiesFarBeyond) {
  NoisyExample example = noisy_example({6, 5, 4}, 1, 0.1, 0, 4);
  const double end = example.core.values.maxCoeff() / 4;
  example.core.values = example.core.values.min(end);
  example.core.highest = end;
  const NoiseModel noise = first_noise(example.core, example.truth, true);
  Monitor monitor;
  const LikelihoodSums sums = likelihood_sums(example.core, example.truth, noise, monitor);
  const Entries L = evaluate(example.truth);
  const double far = end + kernels::surely_cut_off * noise.sigma();
  EXPECT_EQ(sums.observed, static_cast<double>((L <= far || example.core.values < end).count()));
}

TEST(Likelihood, NoiseBeyondTheEndCountsAtItsMean) {
  Rng rng(1);
  for (const double c : {-2.0, -0.5, 0.0, 1.0, 2.5}) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 400000; ++k) {
      const double x = rng.normal();
      if (x > c) sum += x;
      count += x > c ? 1 : 0;
    }
    EXPECT_NEAR(kernels::mean_beyond(c), sum / count, 0.02) << c;
  }
  EXPECT_NEAR(kernels::mean_beyond(5.999), kernels::mean_beyond(6.001), 0.005);
}

TEST(Likelihood, ModelsNearTheEndAreNotTooSmall) {
  NoisyExample example = noisy_example({30, 30, 30}, 2, 0.1, 0, 5);
  const double end = 0.2 * example.core.values.maxCoeff();
  example.core.values = example.core.values.min(end);
  example.core.highest = end;
  const NoiseModel noise = first_noise(example.core, example.truth, false);
  Monitor monitor;
  const Factors gradient = likelihood_sums(example.core, example.truth, noise, monitor).gradient;
  const double score = gradient.front().cwiseProduct(example.truth.front()).sum();
  // The derivative with respect to the size of L, in its standard deviations.
  const Entries L = evaluate(example.truth);
  EXPECT_LT(std::abs(score) / std::sqrt((L < end).select(L.square(), 0.0).sum() / noise.variance),
            4);
}

TEST(NoisyTensor, BlocksCoverTheTensorInOrder) {
  for (const Shape& shape : {Shape{7, 5}, Shape{6, 5, 4}, Shape{3, 4, 5, 6}}) {
    for (const Index most : {1, 7, 20, 50, 1000}) {
      Index position = 0;
      for (const IndexSets& sets : blocks_of(shape, most)) {
        std::vector<Index> extents;
        for (const auto& set : sets) extents.push_back(std::ssize(set));
        const Shape block(extents);
        for (Index i = 0; i < block.entries(); ++i, ++position) {
          const ModeIndices at = block.unravel(i);
          const ModeIndices expected = shape.unravel(position);
          for (int m = 0; m < shape.order(); ++m) EXPECT_EQ(sets[m][at[m]], expected[m]);
        }
      }
      EXPECT_EQ(position, shape.entries());
    }
  }
}

}  // namespace
}  // namespace sunder::robust
