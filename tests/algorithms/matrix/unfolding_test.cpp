#include "algorithms/matrix/unfolding.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "planted_problem.hpp"

namespace sunder {
namespace {

std::vector<double> random_entries(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed, 1);
  std::vector<double> entries(shape.entries());
  for (double& x : entries) x = rng.normal();
  return entries;
}

/// The unfolding entry by entry, as its definition says.
Matrix unfolded(const Shape& shape, int mode, std::span<const double> entries) {
  Matrix matrix(shape[mode], shape.entries() / shape[mode]);
  for (Index at = 0; at < shape.entries(); ++at) {
    const ModeIndices index = shape.unravel(at);
    Index column = 0;
    for (int m = 0; m < shape.order(); ++m) {
      if (m != mode) column = column * shape[m] + index[m];
    }
    matrix(index[mode], column) = entries[at];
  }
  return matrix;
}

const std::vector<Shape> shapes{Shape{5, 4, 3},    Shape{40, 3, 2}, Shape{6, 30},
                                Shape{3, 4, 2, 5}, Shape{1, 7, 1},  Shape{7, 90, 11}};

TEST(Unfolding, MultipliesAsTheMatrixDoes) {
  for (const Shape& shape : shapes) {
    const std::vector<double> entries = random_entries(shape, 1);
    for (int mode = 0; mode < shape.order(); ++mode) {
      SCOPED_TRACE(to_string(shape) + " along " + std::to_string(mode));
      const Unfolding unfolding(shape, mode, 2);
      const Matrix a = unfolded(shape, mode, entries);
      ASSERT_EQ(unfolding.rows(), a.rows());
      ASSERT_EQ(unfolding.columns(), a.cols());
      EXPECT_LT((unfolding.gram(entries) - a * a.transpose()).norm(), 1e-13 * a.squaredNorm());
      const Matrix basis = Matrix::Random(a.rows(), 2);
      EXPECT_LT((unfolding.times(entries, basis) - a.transpose() * basis).norm(), 1e-12 * a.norm());
      const LowRankUnfolding parts{basis, Matrix::Random(a.cols(), 2)};
      std::vector<double> assembled(entries.size());
      unfolding.assemble(parts, assembled);
      EXPECT_LT((unfolded(shape, mode, assembled) - parts.left * parts.right.transpose()).norm(),
                1e-12);
    }
  }
}

TEST(Unfolding, ShrinksAndTruncatesSingularValues) {
  for (const Shape& shape : shapes) {
    const std::vector<double> entries = random_entries(shape, 2);
    for (int mode = 0; mode < shape.order(); ++mode) {
      SCOPED_TRACE(to_string(shape) + " along " + std::to_string(mode));
      const Matrix a = unfolded(shape, mode, entries);
      const Eigen::JacobiSVD<Matrix> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Vector& sigma = svd.singularValues();
      const Unfolding unfolding(shape, mode, 1);
      const double tau = 0.6 * sigma[0];
      const LowRankUnfolding less = shrunk(unfolding, entries, tau);
      const Matrix expected = svd.matrixU() *
                              (sigma.array() - tau).cwiseMax(0).matrix().asDiagonal() *
                              svd.matrixV().transpose();
      EXPECT_LT((less.left * less.right.transpose() - expected).norm(), 1e-12 * a.norm());
      EXPECT_EQ(less.left.cols(), (sigma.array() > tau).count());
      const Index rank = std::min<Index>(2, sigma.size());
      const LowRankUnfolding best = truncated(unfolding, entries, rank);
      const double left_out = std::sqrt(sigma.tail(sigma.size() - rank).squaredNorm());
      EXPECT_NEAR((best.left * best.right.transpose() - a).norm(), left_out, 1e-7 * a.norm());
      EXPECT_EQ(best.left.cols(), rank);
    }
  }
}

TEST(Unfolding, AThresholdAboveTheNormLeavesNothing) {
  const Shape shape{5, 4, 3};
  const std::vector<double> entries = random_entries(shape, 3);
  const Unfolding unfolding(shape, 1, 1);
  const double norm = spectral_norm(unfolding, entries);
  EXPECT_NEAR(norm, Eigen::JacobiSVD<Matrix>(unfolded(shape, 1, entries)).singularValues()[0],
              1e-13 * norm);
  EXPECT_EQ(shrunk(unfolding, entries, 1.001 * norm).left.cols(), 0);
  EXPECT_EQ(shrunk(unfolding, entries, 0.999 * norm).left.cols(), 1);
  std::vector<double> out(entries.size(), 1.0);
  unfolding.assemble(shrunk(unfolding, entries, 2 * norm), out);
  EXPECT_EQ(out, std::vector<double>(entries.size(), 0.0));
}

TEST(Unfolding, SmallSingularValuesKeepTheirDigits) {
  // From the Gram matrix alone 1e-7 would be known to a hundredth of itself only, 1e-9.
  const Matrix u =
      Eigen::HouseholderQR<Matrix>(Matrix::Random(20, 2)).householderQ() * Matrix::Identity(20, 2);
  const Matrix v = Eigen::HouseholderQR<Matrix>(Matrix::Random(300, 2)).householderQ() *
                   Matrix::Identity(300, 2);
  const Matrix a = u * Vector{{1.0, 1e-7}}.asDiagonal() * v.transpose();
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> stored = a;
  const std::span<const double> entries(stored.data(), static_cast<std::size_t>(stored.size()));
  const LowRankUnfolding less = shrunk(Unfolding(Shape{20, 300}, 0, 1), entries, 0.5e-7);
  ASSERT_EQ(less.right.cols(), 2);
  EXPECT_NEAR(less.right.col(0).norm(), 1 - 0.5e-7, 1e-14);
  EXPECT_NEAR(less.right.col(1).norm(), 0.5e-7, 1e-11);
}

TEST(Unfolding, GivesTheSameBitsForAnyNumberOfThreads) {
  const Shape shape{9, 40, 31};
  const std::vector<double> entries = random_entries(shape, 4);
  for (int mode = 0; mode < 3; ++mode) {
    const LowRankUnfolding one = shrunk(Unfolding(shape, mode, 1), entries, 5);
    const LowRankUnfolding three = shrunk(Unfolding(shape, mode, 3), entries, 5);
    EXPECT_TRUE((one.left.array() == three.left.array()).all());
    EXPECT_TRUE((one.right.array() == three.right.array()).all());
  }
}

}  // namespace
}  // namespace sunder
