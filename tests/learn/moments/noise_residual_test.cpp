#include "learn/moments/noise_residual.hpp"

#include <gtest/gtest.h>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

Matrix off_diagonal(Matrix matrix) {
  matrix.diagonal().setZero();
  return matrix;
}

TEST(NoiseResidual, TakesAwayWhatTheHiddenVariablesExplain) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Matrix U = random_matrix(20, 3, seed);
    const Matrix A = random_matrix(20, 3, 10 + seed);
    Matrix R = U * A.transpose() + A * U.transpose();
    const double size = R.norm();
    Matrix weights = Matrix::Ones(20, 20);
    weights(4, 7) = weights(7, 4) = 0;
    R(4, 7) = R(7, 4) += 5;  // an edge, left out, stays what it is
    R.diagonal().array() += 100;
    const Matrix left = without_hidden_fluctuations(R, U, weights);
    EXPECT_NEAR(left(4, 7), 5, 1e-4);
    Matrix others = off_diagonal(left);
    others(4, 7) = others(7, 4) = 0;
    EXPECT_LT(others.norm(), 1e-5 * size);
  }
}

/// At the minimum no U B' + B U' is correlated with the weighted rest.
TEST(NoiseResidual, IsTheLeastSquaresOne) {
  const Matrix U = random_matrix(15, 2, 1);
  const Matrix noise = random_matrix(15, 15, 2);
  const Matrix R = noise + noise.transpose();
  const Matrix random = random_matrix(15, 15, 3).cwiseAbs();
  const Matrix weights = random + random.transpose();
  const Matrix left = without_hidden_fluctuations(R, U, weights);
  const Matrix weighted = off_diagonal(weights.cwiseProduct(left));
  EXPECT_LT((weighted * U).norm(), 1e-5 * weighted.norm() * U.norm());
  EXPECT_LT(off_diagonal(left).norm(), off_diagonal(R).norm());
}

}  // namespace
}  // namespace sunder
