#include "algorithms/robust_cp/certificate/verification.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "algorithms/robust_cp/extend/polish.hpp"
#include "planted_problem.hpp"

namespace sunder {
namespace {

using robust::Factors;
using ::testing::HasSubstr;

constexpr double level = 1e-9;

Factors true_factors(const Shape& shape) {
  return CpModel(Vector::Ones(2), test::random_model(shape, 2, 7).factors()).factors();
}

DenseTensor tensor_of(const Factors& factors) {
  return test::dense({Vector::Ones(factors.front().cols()), factors});
}

std::string objection_to(const DenseTensor& tensor, const Factors& factors) {
  robust::CoreSolution core;
  core.spread = robust::norm(factors) / std::sqrt(static_cast<double>(tensor.shape().entries()));
  Engine engine(tensor.view(), 1);
  Rng rng(1);
  const robust::Verification seen = robust::verify(engine, factors, {.level = level});
  robust::Monitor monitor;
  return robust::objection(engine, factors, core, seen, rng, monitor);
}

TEST(Verification, HasNothingAgainstTheTruth) {
  for (const Shape& shape : {Shape{40, 50}, Shape{15, 20, 25}, Shape{8, 9, 10, 11}}) {
    const Factors factors = true_factors(shape);
    EXPECT_EQ(objection_to(tensor_of(factors), factors), "") << to_string(shape);
  }
}

TEST(Verification, NamesSlicesThatAreNotFitted) {
  Factors factors = true_factors({15, 20, 25});
  const DenseTensor tensor = tensor_of(factors);
  factors[1].row(4) *= 1.01;
  factors[2].row(9) *= 1.01;
  EXPECT_EQ(objection_to(tensor, factors), "2 slices were not fitted");
}

/// Every entry is within the tolerance, and most are close to it.
TEST(Verification, NoiseBelowTheToleranceIsNotRounding) {
  const Factors factors = true_factors({15, 20, 25});
  DenseTensor tensor = tensor_of(factors);
  Rng rng(2);
  for (double& entry : tensor.typed<double>())
    entry += rng.bernoulli(0.5) ? 0.9 * level : -0.9 * level;
  EXPECT_EQ(objection_to(tensor, factors), "the entries are fitted, but not to rounding");
}

/// The component spoils a corner of 5 x 6 x 7 entries, and no slice.
TEST(Verification, NamesComponentsThatNothingBearsOut) {
  const Factors truth = true_factors({30, 30, 30});
  Factors factors;
  for (const Matrix& factor : truth) {
    Matrix wider(factor.rows(), 3);
    wider << factor, Matrix::Zero(factor.rows(), 1);
    wider.col(2).head(4 + static_cast<Index>(factors.size())).setOnes();
    factors.push_back(wider);
  }
  EXPECT_THAT(objection_to(tensor_of(truth), factors), HasSubstr("1 components are not borne out"));
}

TEST(ResidualSample, IsTheSameForEveryModelAndMeasuresTheNoise) {
  const Factors factors = true_factors({30, 30, 30});
  DenseTensor tensor = tensor_of(factors);
  constexpr double sigma = 0.01;
  Rng rng(3);
  for (double& entry : tensor.typed<double>()) {
    const double noise = sigma * rng.normal();
    entry += rng.uniform(0, 1) < 0.2 ? 5.0 : noise;
  }
  Engine engine(tensor.view(), 1);
  const robust::ResidualSample sample = robust::sample_residuals(engine, factors, 11);
  EXPECT_NEAR(sample.sigma(), sigma, 0.1 * sigma);
  EXPECT_TRUE(sample.magnitudes == robust::sample_residuals(engine, factors, 11).magnitudes);
  EXPECT_EQ(engine.passes(), 0);
}

TEST(Polish, TakesAModelToTheLevelThatTheNoiseAllows) {
  const Shape shape{30, 30, 30};
  Factors truth = true_factors(shape);
  for (Matrix& factor : truth) factor = factor.cwiseSign();
  DenseTensor tensor = tensor_of(truth);
  constexpr double sigma = 1e-3;
  Rng rng(3);
  for (double& entry : tensor.typed<double>()) {
    entry += rng.uniform(0, 1) < 0.2 ? 5.0 : sigma * rng.normal();
  }
  Factors near = truth;
  const auto slightly = [&] { return 2e-3 * rng.normal(); };
  for (Matrix& factor : near) factor += Matrix::NullaryExpr(factor.rows(), 2, slightly);
  Engine engine(tensor.view(), 1);
  robust::Monitor monitor;
  const double before = robust::distance(near, truth);
  for (int k = 0; k < 2; ++k) {
    const double spread = robust::sample_residuals(engine, near, 1).sigma();
    near = robust::polished(engine, near, {.sigma = spread}, monitor);
  }
  EXPECT_EQ(engine.passes(), 2);
  // Least squares with 180 unknowns: sigma * sqrt(180 / .8) in the norm.
  EXPECT_LT(robust::distance(near, truth), 1.3 * sigma * std::sqrt(180 / 0.8));
  EXPECT_GT(before, 3 * robust::distance(near, truth));
}

TEST(Verification, TheCoreItselfCanSpeakAgainstAModel) {
  robust::CoreSolution core;
  core.factors = test::random_model(Shape{6, 5, 4}, 2, 1).factors();
  core.determined = true;
  EXPECT_EQ(robust::objection(core.factors, core), "");
  robust::Factors lost = core.factors;
  lost[0].col(1).setZero();
  EXPECT_THAT(robust::objection(lost, core), ::testing::HasSubstr("lost"));
  lost[0].setZero();
  EXPECT_THAT(robust::objection(lost, core), ::testing::HasSubstr("no component"));
  core.whole = false;
  EXPECT_EQ(robust::objection(core.factors, core), robust::further_component);
  core.determined = false;
  EXPECT_THAT(robust::objection(core.factors, core), ::testing::HasSubstr("not determined"));
}

/// Nothing of S is known to be a component, as far as anybody looked.
TEST(Verification, SaysWhatNobodyCouldSee) {
  const robust::Factors one = test::random_model(Shape{5, 5, 5}, 1, 1).factors();
  const auto verdict = [&](const robust::Verification& seen, const robust::AskedRank& asked,
                           std::optional<bool> further) {
    return robust::certificate_of(one, seen, asked, further).level;
  };
  robust::Verification seen;
  EXPECT_EQ(verdict(seen, {.rank = 1}, false), Certified::exact);
  EXPECT_EQ(verdict(seen, {.rank = 2}, false), Certified::exact);
  EXPECT_EQ(verdict(seen, {.rank = 2}, std::nullopt), Certified::none);
  const Certificate chosen =
      robust::certificate_of(one, seen, {.rank = 1, .chosen = true}, std::nullopt);
  EXPECT_EQ(chosen.level, Certified::exact);
  EXPECT_NE(chosen.explanation.find("S is too long"), std::string::npos);
  seen.statistics.missing = 1;
  EXPECT_EQ(verdict(seen, {.rank = 1}, false), Certified::exact);
  EXPECT_EQ(verdict(seen, {.rank = 2}, false), Certified::none);
  seen.unknown_slices = 1;
  EXPECT_EQ(verdict(seen, {.rank = 1}, false), Certified::none);
}

}  // namespace
}  // namespace sunder
