#include "algorithms/robust_cp/noise/noisy_core.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/pruned.hpp"
#include "algorithms/robust_cp/noise/residual_structure.hpp"
#include "noisy_example.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;
using test::relative_error;

/// The error of least squares on inliers alone: noise times the root of unknowns over entries.
double expected_error(const NoisyExample& example, double noise, double errors) {
  double unknowns = 0;
  for (const Matrix& factor : example.truth) unknowns += static_cast<double>(factor.size());
  return noise *
         std::sqrt(unknowns / ((1 - errors) * static_cast<double>(example.core.shape.entries())));
}

TEST(NoisyCore, IsAsGoodAsLeastSquaresOnTheInliers) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const NoisyExample example = noisy_example({25, 24, 23}, 3, 0.1, 0.3, seed);
    Rng rng(seed);
    Monitor monitor;
    const NoisySolution found = fit_noisy_core(example.core, 3, {}, rng, monitor);
    EXPECT_LT(relative_error(found.fit.factors, example.truth),
              1.3 * expected_error(example, 0.1, 0.3))
        << seed;
    EXPECT_NEAR(found.fit.noise.outlier_share, 0.3, 0.05);
    EXPECT_TRUE(found.is_confirmed());
    EXPECT_LT(residual_structure(example.core, found.fit, monitor), 1.2);
  }
}

TEST(NoisyCore, ATournamentWithoutSomeEntriesIsEnoughForAllOfThem) {
  const NoisyExample example = noisy_example({25, 24, 23}, 3, 0.1, 0.2, 11);
  DenseCore part = example.core;
  part.observed = Entries::Ones(part.values.size());
  for (Index i = 0; i < part.values.size(); i += 5) part.observed[i] = part.values[i] = 0;
  Rng rng(3);
  Monitor monitor;
  const NoiseFamily family = NoiseFamily::automatic;
  const NoisySolution start = hold_noisy_start(part, 3, {}, rng, monitor, family);
  const NoisySolution found = fit_noisy_core_from(example.core, start, {}, rng, monitor, family);
  EXPECT_LT(relative_error(found.fit.factors, example.truth),
            1.3 * expected_error(example, 0.1, 0.2));
  EXPECT_TRUE(found.is_confirmed());
}

TEST(NoisyCore, FindsAnOffset) {
  NoisyExample example = noisy_example({25, 24, 23}, 2, 0.05, 0.1, 7);
  for (Matrix& factor : example.truth) {
    factor.conservativeResize(Eigen::NoChange, 3);
    factor.col(2).setOnes();
  }
  example.truth.front().col(2) *= 20;
  example.core.values += 20;
  Rng rng(1);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 3, {}, rng, monitor);
  EXPECT_LT(relative_error(found.fit.factors, example.truth), 2e-3);
}

TEST(NoisyCore, ScalesOfSlicesFollowTheirNoise) {
  NoisyExample example = noisy_example({25, 24, 23}, 2, 0, 0, 8);
  Rng rng(2);
  const Index slice = 24 * 23;
  const double size = std::sqrt(example.core.values.square().mean());
  for (Index i = 0; i < example.core.values.size(); ++i) {
    example.core.values[i] += (i / slice < 5 ? 0.5 : 0.05) * size * rng.normal();
  }
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 2, {}, rng, monitor);
  const Vector& scales = found.fit.noise.scales.front();
  EXPECT_NEAR(std::sqrt(scales.head(5).mean() / scales.tail(20).mean()), 10, 2);
}

TEST(NoisyCore, SurplusComponentsAreLeftOut) {
  const NoisyExample example = noisy_example({25, 24, 23}, 2, 0.1, 0.1, 9);
  Rng rng(3);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 4, {}, rng, monitor);
  EXPECT_EQ(found.fit.factors.front().cols(), 4);
  EXPECT_EQ((found.fit.factors.front().colwise().norm().array() > 0).count(), 2);
}

TEST(NoisyCore, SurplusComponentsOfAMatrixAreLeftOut) {
  const NoisyExample example = noisy_example({60, 50}, 2, 0.1, 0.1, 21);
  Rng rng(4);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 4, {}, rng, monitor);
  EXPECT_EQ((found.fit.factors.front().colwise().norm().array() > 0).count(), 2);
}

TEST(NoisyCore, APatternOnAFewRowsDoesNotReplaceAComponent) {
  NoisyExample example = noisy_example({45, 85}, 2, 0.08, 0, 22);
  Rng rng(6);
  const double size = std::sqrt(example.core.values.square().mean());
  Vector pattern(85);
  for (double& x : pattern) x = 3 * size * rng.normal();
  for (Index i = 0; i < example.core.values.size(); ++i) {
    if (i / 85 < 7 && rng.bernoulli(0.5)) example.core.values[i] += pattern[i % 85];
  }
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 2, {}, rng, monitor);
  EXPECT_LT(relative_error(found.fit.factors, example.truth), 0.05);
}

TEST(NoisyCore, AMatrixIsFoundBeyondWhereItWasCutOff) {
  NoisyExample example = noisy_example({60, 50}, 3, 0.05, 0, 23);
  for (Matrix& factor : example.truth) factor = factor.cwiseAbs();
  example.core.values = evaluate(example.truth);
  const double size = std::sqrt(example.core.values.square().mean());
  Rng rng(7);
  for (double& x : example.core.values) x += 0.05 * size * rng.normal();
  example.core.highest = 1.5 * size;
  example.core.values = example.core.values.min(example.core.highest);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 3, {}, rng, monitor);
  EXPECT_LT(relative_error(found.fit.factors, example.truth), 0.06);
}

TEST(Atoms, ZerosAndEndsThatRecurAreFound) {
  NoisyExample example = noisy_example({20, 20, 20}, 2, 0.1, 0, 10);
  EXPECT_FALSE(find_atoms(example.core).any());
  Rng rng(4);
  for (double& x : example.core.values) {
    if (rng.bernoulli(0.2)) x = 0;
  }
  EXPECT_TRUE(find_atoms(example.core).zeros);
  EXPECT_EQ(with_atoms(example.core, find_atoms(example.core)).observed.sum(),
            static_cast<double>((example.core.values != 0).count()));
  const double end = 0.5 * example.core.values.maxCoeff();
  example.core.values = example.core.values.min(end);
  EXPECT_EQ(find_atoms(example.core).highest, end);
  example.core.highest = end;
  EXPECT_EQ(without_ends(example.core).observed.sum(),
            static_cast<double>((example.core.values < end).count()));
}

TEST(NoisyCore, EntriesThatAreCutOffDoNotSpeakAgainstIt) {
  NoisyExample example = noisy_example({25, 24, 23}, 2, 0.05, 0, 12);
  const double size = std::sqrt(example.core.values.square().mean());
  example.core.highest = 0.8 * size;
  example.core.values = example.core.values.min(example.core.highest);
  Rng rng(5);
  Monitor monitor;
  const NoisySolution found = fit_noisy_core(example.core, 2, {}, rng, monitor);
  EXPECT_LT(relative_error(found.fit.factors, example.truth), 0.02);
  EXPECT_GT(found.support, 0.9);
}

TEST(Atoms, ZerosAmongWholeNumbersAreFound) {
  NoisyExample example = noisy_example({20, 20, 20}, 2, 0.1, 0, 8);
  example.core.values = (300 * example.core.values).round();
  EXPECT_FALSE(find_atoms(example.core).zeros);
  for (Index i = 0; i < example.core.values.size(); i += 5) example.core.values[i] = 0;
  EXPECT_TRUE(find_atoms(example.core).zeros);
}

TEST(Atoms, RareCountsHaveNone) {
  NoisyExample example = noisy_example({20, 20, 20}, 2, 0.1, 0, 9);
  Rng rng(10);
  for (double& x : example.core.values) x = rng.bernoulli(0.02) ? 1 + rng.bernoulli(0.1) : 0;
  EXPECT_FALSE(find_atoms(example.core).zeros);
}

TEST(Atoms, WholeNumbersHaveNone) {
  NoisyExample example = noisy_example({20, 20, 20}, 2, 0.1, 0, 11);
  example.core.values = (example.core.values * 5).round();
  EXPECT_FALSE(find_atoms(example.core).zeros);
}

}  // namespace
}  // namespace sunder::robust
