// Notation: R  residual    U  loadings    A  chance effects of the hidden variables    W  weights
#include "learn/moments/noise_residual.hpp"

#include <Eigen/Cholesky>

namespace sunder {

Matrix without_hidden_fluctuations(const Matrix& R, const Matrix& U, const Matrix& weights) {
  constexpr int most_sweeps = 200;
  constexpr double tolerance = 1e-8;
  const Index r = U.cols();
  Matrix W = weights;
  W.diagonal().setZero();
  // Row a_i of A meets entry (i, j) as u_j'a_i, beside u_i'a_j: its normal matrix is constant.
  std::vector<Eigen::LDLT<Matrix>> normal;
  for (Index i = 0; i < U.rows(); ++i) {
    Matrix N = U.transpose() * W.col(i).asDiagonal() * U;
    // U A' + A U' = 0 for A = U K with K skew; among all solutions this selects one that stays
    // small.
    N.diagonal().array() += 1e-10 * N.trace() / static_cast<double>(r) + 1e-300;
    normal.emplace_back(N);
  }
  Matrix A = Matrix::Zero(U.rows(), r);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double moved = 0;
    for (Index i = 0; i < U.rows(); ++i) {
      const Vector left = R.col(i) - A * U.row(i).transpose();
      const Vector right_side = U.transpose() * W.col(i).cwiseProduct(left);
      const Vector next = normal[i].solve(right_side);
      moved += (next - A.row(i).transpose()).squaredNorm();
      A.row(i) = next.transpose();
    }
    if (moved <= tolerance * tolerance * A.squaredNorm()) break;
  }
  const Matrix explained = U * A.transpose();
  return R - explained - explained.transpose();
}

}  // namespace sunder
