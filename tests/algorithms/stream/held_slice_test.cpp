#include "algorithms/stream/held_slice.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>

#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder::streaming {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Problem {
  CpModel model;
  DenseTensor slice;
  std::vector<bool> clean;
};

/// A slice of rank 3 with noise, three in ten of whose entries are far off to one side.
Problem corrupted(std::uint64_t seed, double size) {
  Problem problem{test::random_model(Shape{15, 12}, 3, seed), {}, {}};
  problem.slice = test::dense(problem.model);
  Rng rng(seed, 2);
  for (double& x : problem.slice.typed<double>()) {
    problem.clean.push_back(!rng.bernoulli(0.3));
    x += problem.clean.back() ? 0.01 * rng.normal() : size * rng.uniform(0.5, 1);
  }
  return problem;
}

/// Least squares on given entries, by QR of the whole design.
Vector dense_fit(const Problem& problem) {
  const Matrix all = khatri_rao(problem.model.factor(0), problem.model.factor(1));
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i) {
    if (problem.clean[i]) rows.push_back(i);
  }
  const Eigen::Map<const Vector> y(problem.slice.typed<double>().data(), all.rows());
  const Matrix design = all(rows, Eigen::all);
  const Vector right = y(rows);
  return design.colPivHouseholderQr().solve(right);
}

TEST(HeldSlice, RegressionIsLeastSquaresOnTheCleanEntries) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    for (const double size : {10.0, 1e6}) {
      const Problem problem = corrupted(seed, size);
      HeldSlice slice = hold(problem.slice.view(), 0);
      regress(slice, problem.model.factors(), 0, 6);
      EXPECT_LT((slice.w - dense_fit(problem)).norm(), 1e-9) << seed << " " << size;
      EXPECT_NEAR(slice.sigma, 0.01, 0.003);
      for (Index i = 0; i < 180; ++i) {
        EXPECT_EQ(slice.kept[i] > 0, problem.clean[i]) << i;
      }
    }
  }
}

TEST(HeldSlice, MissingEntriesHaveNoInfluence) {
  Problem problem = corrupted(5, 10);
  for (std::size_t i = 0; i < 180; i += 4) {
    problem.slice.typed<double>()[i] = nan;
    problem.clean[i] = false;
  }
  HeldSlice slice = hold(problem.slice.view(), 3);
  EXPECT_EQ(slice.missing(), 45);
  regress(slice, problem.model.factors(), 0, 6);
  EXPECT_LT((slice.w - dense_fit(problem)).norm(), 1e-9);
  const Entries residual = residual_of(slice, problem.model.factors());
  for (Index i = 0; i < 180; i += 4) {
    EXPECT_EQ(residual[i], 0);
    EXPECT_EQ(slice.kept[i], 0);
  }
}

TEST(HeldSlice, InfinityIsRefused) {
  Problem problem = corrupted(6, 10);
  problem.slice.typed<double>()[7] = -std::numeric_limits<double>::infinity();
  EXPECT_THROW(hold(problem.slice.view(), 0), InputError);
}

}  // namespace
}  // namespace sunder::streaming
