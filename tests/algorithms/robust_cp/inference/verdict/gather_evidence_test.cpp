#include "algorithms/robust_cp/inference/verdict/gather_evidence.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/noise_verdict.hpp"
#include "algorithms/robust_cp/inference/verdict/residual_tests.hpp"
#include "algorithms/robust_cp/noise/noisy_core.hpp"
#include "algorithms/robust_cp/noise/noisy_example.hpp"

namespace sunder::robust {
namespace {

const Shape shape{24, 24, 24};

Certified judged(const DenseCore& core, int rank, std::uint64_t seed) {
  Rng rng(seed);
  Monitor monitor;
  const NoisySolution solution = fit_noisy_core(core, rank, {}, rng, monitor);
  return judge_under_noise(gather_evidence(core, solution.fit, {}, rng, monitor)).level;
}

TEST(GatherEvidence, TheRightModelIsConsistent) {
  int said = 0;
  for (const std::uint64_t seed : {31301, 31302, 31303, 31304}) {
    const test::NoisyExample example = test::noisy_example(shape, 3, 0.1, 0.1, seed);
    said += judged(example.core, 3, seed) == Certified::consistent ? 1 : 0;
  }
  EXPECT_GE(said, 3);
}

TEST(GatherEvidence, ARankThatIsTooSmallOrTooLargeIsNot) {
  for (const std::uint64_t seed : {31305, 31306}) {
    const test::NoisyExample example = test::noisy_example(shape, 3, 0.1, 0.1, seed);
    EXPECT_EQ(judged(example.core, 2, seed), Certified::none);
    EXPECT_EQ(judged(example.core, 4, seed), Certified::none);
  }
}

TEST(GatherEvidence, WhatNoiseDoesNotExplainIsReproducibleAtBest) {
  test::NoisyExample example = test::noisy_example(shape, 2, 0.05, 0.05, 31307);
  // A weak field on top, which is no component: a wave along a diagonal.
  const double size = std::sqrt(example.core.values.square().mean());
  for (Index i = 0; i < example.core.values.size(); ++i) {
    const ModeIndices at = shape.unravel(i);
    example.core.values[i] +=
        0.1 * size * std::sin(0.9 * static_cast<double>(at[0] + at[1] * at[2] / 4));
  }
  EXPECT_NE(judged(example.core, 2, 1), Certified::consistent);
}

TEST(SpectralNorm, IsTheWeightOfARankOneTensor) {
  Rng rng(31308);
  CpModel model = as_model(test::normal_factors({9, 8, 7}, 1, rng));
  model.normalise();
  Factors factors = model.factors();
  factors.front() *= model.weights()[0];
  EXPECT_NEAR(spectral_norm({9, 8, 7}, evaluate(factors)), model.weights()[0], 1e-9);
}

}  // namespace
}  // namespace sunder::robust
