#include "algorithms/robust_cp/noise/rows/noisy_row_fit.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sunder::robust {
namespace {

constexpr double noise = 0.05;

/// Rows against a design most of whose entries are zero, with noise and errors of one sign.
struct SparseRows {
  RowProblem problem;
  Matrix truth;

  SparseRows(Index rows, Index columns, Index rank, double errors, std::uint64_t seed)
      : problem(rows, columns, rank) {
    Rng rng(seed);
    const auto sparse = [&] { return rng.bernoulli(0.3) ? std::abs(rng.normal()) : 0.0; };
    truth = 5 * Matrix::NullaryExpr(rows, rank, sparse);
    problem.design.topRows(columns) = Matrix::NullaryExpr(columns, rank, sparse);
    const Matrix values = truth * problem.design.topRows(columns).transpose();
    for (Index i = 0; i < rows; ++i) {
      for (Index c = 0; c < columns; ++c) {
        const double error = rng.bernoulli(errors) ? rng.uniform(0.5, 2) : 0;
        problem.set(i, c, values(i, c) + noise * rng.normal() + error);
      }
    }
  }
};

TEST(NoisyRowFit, FindsRowsWhoseDesignIsMostlyZero) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const SparseRows rows(40, 400, 4, 0.3, seed);
    Rng rng(seed);
    Monitor monitor;
    const NoisyRowFits fits = fit_noisy_rows(rows.problem, {.sigma = noise}, rng, monitor);
    EXPECT_LT((fits.coefficients - rows.truth).cwiseAbs().maxCoeff(), 0.1) << seed;
    EXPECT_LT(fits.cost.maxCoeff(), 0.45) << seed;
    EXPECT_NEAR(fits.deviation.mean(), noise, 0.03) << seed;
  }
}

TEST(NoisyRowFit, ObeysAndLeavesOutWhatIsMissing) {
  SparseRows rows(10, 400, 3, 0.2, 7);
  for (Index c = 0; c < 100; ++c) {
    rows.problem.values(0, c) = 0;
    rows.problem.set(0, c, std::numeric_limits<double>::quiet_NaN());
  }
  Rng rng(7);
  Monitor monitor;
  const NoisyRowFits fits =
      fit_noisy_rows(rows.problem, {.sigma = noise, .nonnegative = true}, rng, monitor);
  EXPECT_GE(fits.coefficients.minCoeff(), 0);
  EXPECT_LT((fits.coefficients - rows.truth).cwiseAbs().maxCoeff(), 0.1);
}

TEST(NoisyRowFit, HasTheSameBitsForAnyNumberOfThreads) {
  const SparseRows rows(30, 300, 4, 0.3, 5);
  Monitor monitor;
  Rng one(3);
  Rng two(3);
  const NoisyRowFits a = fit_noisy_rows(rows.problem, {.sigma = noise, .threads = 1}, one, monitor);
  const NoisyRowFits b = fit_noisy_rows(rows.problem, {.sigma = noise, .threads = 2}, two, monitor);
  EXPECT_TRUE((a.coefficients.array() == b.coefficients.array()).all());
  EXPECT_TRUE((a.cost == b.cost).all());
}

TEST(NoisyRowFit, CostsOfGivenRowsAreThoseOfTheFit) {
  const SparseRows rows(20, 300, 3, 0.2, 6);
  Rng rng(6);
  Monitor monitor;
  const NoisyRowFits fits = fit_noisy_rows(rows.problem, {.sigma = noise}, rng, monitor);
  const Eigen::ArrayXd costs = row_costs(rows.problem, fits.coefficients, noise);
  EXPECT_LT((costs - fits.cost).abs().maxCoeff(), 1e-12);
  EXPECT_GT((row_costs(rows.problem, Matrix::Zero(20, 3), noise) - costs).maxCoeff(), 0.1);
}

}  // namespace
}  // namespace sunder::robust
