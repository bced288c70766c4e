#include "algorithms/robust_cp/inference/errors/standard_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/noise/noisy_example.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/matching.hpp"
#include "sunder/data/planted.hpp"

namespace sunder::robust {
namespace {

constexpr double sigma = 0.1;

IndexSets all_rows(const Shape& shape) {
  IndexSets sets;
  for (const Index extent : shape) {
    sets.emplace_back(extent);
    std::iota(sets.back().begin(), sets.back().end(), Index{0});
  }
  return sets;
}

/// Errors of the true model under normal noise of a known deviation.
StandardErrors errors_at(const CpModel& model, const ModeConstraints& constraints, Rng& rng) {
  const Shape shape = model.shape();
  DenseCore core;
  core.shape = shape;
  core.values = Entries::Zero(shape.entries());
  Entries residuals(shape.entries());
  for (double& x : residuals) x = sigma * rng.normal();
  const EntryWeights weights{Entries::Constant(shape.entries(), 1 / (sigma * sigma)),
                             Entries::Ones(shape.entries()),
                             Entries::Constant(shape.entries(), sigma * sigma)};
  const Factors factors = scaled_factors(model);
  NormalEquations equations(factors);
  equations.add(core, all_rows(shape), residuals, weights, NoiseModel{});
  return standard_errors(model, constraints, equations, 1);
}

CpModel normal_model(const Shape& shape, Index rank, std::uint64_t seed) {
  Rng rng(seed);
  CpModel model = as_model(test::normal_factors(shape, rank, rng));
  model.normalise();
  return model;
}

TEST(StandardErrors, OfARankOneModelAreThoseOfTheTextbook) {
  const CpModel model = normal_model({30, 25, 20}, 1, 31211);
  Rng rng(31212);
  const StandardErrors errors = errors_at(model, {}, rng);
  ASSERT_TRUE(errors.known);
  // The weight is a projection of the data on a unit tensor, and a row of a unit column one on a
  // unit matrix, over the weight.
  EXPECT_NEAR(errors.weights[0] / sigma, 1, 0.1);
  const double weight = model.weights()[0];
  for (int m = 0; m < 3; ++m) {
    for (Index i = 0; i < model.factor(m).rows(); ++i) {
      const double u = model.factor(m)(i, 0);
      EXPECT_NEAR(errors.factors[m](i, 0) * weight / sigma, std::sqrt(1 - u * u), 0.25);
    }
  }
}

TEST(StandardErrors, DoNotDependOnHowTheScaleIsSharedBetweenFactors) {
  const CpModel model = normal_model({9, 8, 7}, 2, 31213);
  const Factors factors = scaled_factors(model);
  CpModel again = as_model(factors);
  again.normalise();
  for (int m = 0; m < 3; ++m) {
    EXPECT_NEAR(factors[m].col(0).norm(), std::cbrt(model.weights()[0]), 1e-12);
    EXPECT_LT((again.factor(m).cwiseAbs() - model.factor(m).cwiseAbs()).norm(), 1e-12);
  }
}

TEST(StandardErrors, AnEntryAtItsBoundHasNone) {
  CpModel model = normal_model({12, 10, 8}, 2, 31214);
  std::vector<Matrix> factors = model.factors();
  for (Matrix& factor : factors) factor = factor.cwiseMax(0);
  model = CpModel(model.weights(), factors);
  model.normalise();
  Rng rng(31215);
  const ModeConstraints constraints({.shared = {}, .nonnegative = {0, 1, 2}}, model.shape());
  const StandardErrors errors = errors_at(model, constraints, rng);
  ASSERT_TRUE(errors.known);
  for (int m = 0; m < 3; ++m) {
    for (Index i = 0; i < model.factor(m).rows(); ++i) {
      for (Index k = 0; k < 2; ++k) {
        EXPECT_EQ(errors.factors[m](i, k) > 0, model.factor(m)(i, k) > 0) << m << i << k;
      }
    }
  }
}

/// What one of two blocks without common rows says of a component does not bind the other.
TEST(StandardErrors, WhereEntriesLeaveAPartOfLOpenThereAreNone) {
  const CpModel model = normal_model({8, 8, 8}, 1, 31218);
  const Shape shape = model.shape();
  DenseCore core;
  core.shape = shape;
  core.values = Entries::Zero(shape.entries());
  core.observed = Entries::Zero(shape.entries());
  for (Index i = 0; i < shape.entries(); ++i) {
    const ModeIndices at = shape.unravel(i);
    core.observed[i] = (at[0] < 4) == (at[1] < 4) && (at[1] < 4) == (at[2] < 4) ? 1 : 0;
  }
  const Entries ones = Entries::Ones(shape.entries());
  const Factors factors = scaled_factors(model);
  NormalEquations equations(factors);
  equations.add(core, all_rows(shape), 0.1 * ones, {ones, ones, ones}, NoiseModel{});
  EXPECT_FALSE(standard_errors(model, {}, equations, 1).known);
}

TEST(StandardErrors, SharedFactorsHaveTheSameAndSmallerErrors) {
  CpModel model = normal_model({14, 14, 14}, 2, 31216);
  const Matrix shared = model.factor(0);
  model = CpModel(model.weights().cwiseAbs(), {shared, shared, shared});
  Rng rng(31217);
  Rng same(31217);
  const ModeConstraints constraints({.shared = {{0, 1, 2}}, .nonnegative = {}}, model.shape());
  const StandardErrors together = errors_at(model, constraints, rng);
  const StandardErrors apart = errors_at(model, {}, same);
  ASSERT_TRUE(together.known);
  EXPECT_LT((together.factors[0] - together.factors[2]).norm(), 1e-12);
  EXPECT_NEAR(together.factors[0].norm() / apart.factors[0].norm(), 1 / std::sqrt(3), 0.1);
}

TEST(StandardErrors, IntervalsOfRunsHoldTheTruthAsOftenAsTheySay) {
  double inside = 0;
  double all = 0;
  for (std::uint64_t seed = 31220; seed < 31224; ++seed) {
    PlantedOptions options;
    options.shape = Shape{25, 25, 25};
    options.rank = 3;
    options.noise = 0.1;
    options.seed = seed;
    const PlantedTensor problem = generate_planted(options);
    RunOptions run;
    run.rank = 3;
    const Decomposition result = robust_cp(problem.tensor.view(), run, {});
    ASSERT_TRUE(result.errors.known) << result.errors.remark;
    CpModel truth = problem.low_rank;
    truth.normalise();
    const ComponentMatch match = match_components(result.low_rank, truth);
    for (int k = 0; k < 3; ++k) {
      for (int m = 0; m < 3; ++m) {
        Vector u = truth.factor(m).col(match.partner[k]);
        if (u.dot(result.low_rank.factor(m).col(k)) < 0) u = -u;
        const Vector off = (result.low_rank.factor(m).col(k) - u).cwiseAbs();
        all += static_cast<double>(off.size());
        inside += static_cast<double>(
            (off.array() < 1.96 * result.errors.factors[m].col(k).array()).count());
      }
    }
  }
  EXPECT_NEAR(inside / all, 0.95, 0.025);  // 900 values: three standard deviations
}

}  // namespace
}  // namespace sunder::robust
