#include "algorithms/robust_cp/rows/row_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {
namespace {

/// Rows y = K a with outliers of one sign.
struct PlantedRows {
  RowProblem problem;
  Matrix truth;

  PlantedRows(Index rows, Index columns, Index rank, double density, std::uint64_t seed)
      : problem(rows, columns, rank), rng_(seed) {
    truth = Matrix::NullaryExpr(rows, rank, [&] { return rng_.normal(); });
    problem.design.topRows(columns) =
        Matrix::NullaryExpr(columns, rank, [&] { return rng_.normal(); });
    const Matrix values = truth * problem.design.topRows(columns).transpose();
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) problem.set(i, j, values(i, j));
      corrupt(i, density);
    }
  }
  void corrupt(Index row, double density) {
    for (Index j = 0; j < problem.columns; ++j) {
      if (rng_.bernoulli(density)) problem.values(row, j) += rng_.uniform(1, 4);
    }
  }
  void lose(double share) {
    for (Index i = 0; i < problem.rows(); ++i) {
      for (Index j = 0; j < problem.columns; ++j) {
        if (rng_.bernoulli(share)) problem.set(i, j, std::nan(""));
      }
    }
  }
  RowFits fit(RowFitOptions options = {.tolerance = 1e-9}) const {
    Monitor monitor;
    return fit_rows(problem, Matrix::Zero(truth.rows(), truth.cols()), options, monitor);
  }
  double error(const RowFits& fits, Index row) const {
    return (fits.coefficients.row(row) - truth.row(row)).norm() / truth.row(row).norm();
  }
  double error(const RowFits& fits) const {
    return (fits.coefficients - truth).rowwise().norm().maxCoeff() / truth.norm();
  }

 private:
  Rng rng_;
};

TEST(RowFit, RecoversRowsBesideOutliersOfOneSign) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const PlantedRows planted(30, 200, 4, 0.4, seed);
    const RowFits fits = planted.fit();
    EXPECT_LT(planted.error(fits), 1e-11) << seed;
    EXPECT_TRUE(fits.doubtful.empty()) << seed;
    EXPECT_NEAR(fits.share.mean(), 0.6, 0.03);
  }
}

TEST(RowFit, MissingEntriesDoNotCount) {
  PlantedRows planted(20, 300, 3, 0.3, 4);
  planted.lose(0.5);
  planted.problem.values = planted.problem.values.cwiseProduct(planted.problem.observed);
  const RowFits fits = planted.fit();
  EXPECT_LT(planted.error(fits), 1e-11);
  EXPECT_NEAR(fits.share.mean(), 0.7, 0.03);
}

TEST(RowFit, UnderNoiseTheErrorIsThatOfLeastSquares) {
  PlantedRows planted(40, 400, 3, 0.2, 5);
  Rng rng(6);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 400; ++j) planted.problem.values(i, j) += 0.01 * rng.normal();
  }
  const RowFits fits = planted.fit({.sigma = 0.01});
  const double rms = std::sqrt((fits.coefficients - planted.truth).squaredNorm() / 120);
  EXPECT_LT(rms, 1.5 * 0.01 / std::sqrt(0.8 * 400));
}

/// A row with far more outliers than the others is doubtful at first, and found more cautiously.
TEST(RowFit, ARowWithFewInliersIsTriedAgain) {
  int healed = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PlantedRows planted(20, 400, 2, 0.05, seed);
    planted.corrupt(7, 0.75);
    const RowFits fits = planted.fit();
    if (planted.error(fits, 7) < 1e-9) ++healed;
    EXPECT_EQ(fits.doubtful, std::vector<Index>{7}) << "its share stays far below the others'";
  }
  EXPECT_GE(healed, 3);
}

TEST(RowFit, ARowThatIsNothingButNoiseIsDoubtful) {
  PlantedRows planted(20, 200, 3, 0.1, 8);
  Rng rng(9);
  for (Index j = 0; j < 200; ++j) planted.problem.values(3, j) = rng.normal();
  const RowFits fits = planted.fit();
  EXPECT_EQ(fits.doubtful, std::vector<Index>{3});
}

/// Coefficients that are not negative, where the unconstrained ones would be.
TEST(RowFit, NoCoefficientIsNegativeWhereNoneMayBe) {
  PlantedRows planted(20, 200, 3, 0.2, 10);
  const RowFits fits = planted.fit({.tolerance = 1e-9, .nonnegative = true});
  EXPECT_LT(planted.truth.minCoeff(), 0);
  EXPECT_GE(fits.coefficients.minCoeff(), 0);
  for (Index i = 0; i < 20; ++i) {
    if (planted.truth.row(i).minCoeff() >= 0) {
      EXPECT_LT(planted.error(fits, i), 1e-11) << i;
    }
  }
}

TEST(RowFit, ColumnsWithoutAModelSayNothing) {
  PlantedRows planted(10, 150, 2, 0.2, 11);
  for (Index j = 0; j < 100; j += 2) {
    planted.problem.design.row(j).setZero();
    planted.problem.values.col(j).setZero();
  }
  EXPECT_EQ(without_dead_columns(planted.problem).columns, 100);
  const RowFits fits = planted.fit();
  EXPECT_LT(planted.error(fits), 1e-11);
  EXPECT_NEAR(fits.share.mean(), 0.8, 0.05) << "zeros are not evidence";
}

TEST(RowFit, WithoutAnyColumnRowsAreZero) {
  PlantedRows planted(5, 50, 2, 0, 12);
  planted.problem.design.setZero();
  EXPECT_EQ(planted.fit().coefficients.norm(), 0);
}

/// Scales, weights and normal equations only see ratios.
TEST(RowFit, PowersOfTwoChangeNoDigit) {
  const PlantedRows planted(20, 200, 3, 0.3, 13);
  PlantedRows larger = planted;
  larger.problem.values *= 0x1p20;
  const RowFits fits = planted.fit({.tolerance = 1e-9});
  const RowFits same = larger.fit({.tolerance = 0x1p20 * 1e-9});
  EXPECT_EQ(0x1p20 * fits.coefficients, same.coefficients);
  EXPECT_EQ(fits.doubtful, same.doubtful);
}

TEST(RowFit, TheSameBitsForAnyOrderOfRowsAndNumberOfThreads) {
  const PlantedRows planted(48, 120, 3, 0.4, 14);
  PlantedRows reversed = planted;
  reversed.problem.values = planted.problem.values.colwise().reverse().eval();
  const RowFits fits = planted.fit({.tolerance = 1e-9, .threads = 1});
  const RowFits other = reversed.fit({.tolerance = 1e-9, .threads = 2});
  EXPECT_EQ(fits.coefficients, other.coefficients.colwise().reverse());
}

TEST(RowFit, CancellationIsHeard) {
  const PlantedRows planted(30, 100, 2, 0.2, 15);
  Monitor monitor([] { throw std::runtime_error("no longer wanted"); });
  EXPECT_THROW(fit_rows(planted.problem, Matrix::Zero(30, 2), {}, monitor), std::runtime_error);
}

}  // namespace
}  // namespace sunder::robust
