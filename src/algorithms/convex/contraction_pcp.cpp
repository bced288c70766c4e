// Notation:
//   Z      the matrix            X, Y   its low-rank and its sparse part
//   nu     weight of the l1 norm
//   W      multipliers of the constraint X + Y = Z
//   mu     penalty; grows by rho for each iteration
#include "algorithms/convex/contraction_pcp.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense.hpp"

namespace sunder {

namespace {

/// Each entry moved towards zero by `amount`.
Matrix shrunk(const Matrix& matrix, double amount) {
  return matrix.unaryExpr(
      [amount](double x) { return std::copysign(std::max(std::abs(x) - amount, 0.0), x); });
}

/// The same for the singular values.
Matrix singular_values_shrunk(const Matrix& matrix, double amount) {
  const Svd svd = thin_svd(matrix);
  const Vector values = (svd.values.array() - amount).max(0);
  const Index rank = (values.array() > 0).count();
  return svd.u.leftCols(rank) * values.head(rank).asDiagonal() * svd.v.leftCols(rank).transpose();
}

}  // namespace

ContractionPcp contraction_pcp(const Matrix& z, const ContractionPcpOptions& options,
                               const std::function<void()>& beat) {
  // A slow growth: a fast one stops in the neighbourhood of the solution instead of in it.
  constexpr double rho = 1.2;
  ContractionPcp result;
  result.low_rank = Matrix::Zero(z.rows(), z.cols());
  const double norm = z.norm();
  if (norm == 0) return result;
  const double nu = options.weight;
  const double spectral = thin_svd(z, SingularVectors::none).values[0];
  Matrix w = z / std::max(spectral, z.cwiseAbs().maxCoeff() / nu);
  double mu = 1.25 / spectral;
  result.converged = false;
  while (!result.converged && result.iterations < options.max_iterations) {
    if (beat) beat();
    const Matrix y = shrunk(z - result.low_rank + w / mu, nu / mu);
    result.low_rank = singular_values_shrunk(z - y + w / mu, 1 / mu);
    const Matrix rest = z - result.low_rank - y;
    w += mu * rest;
    mu *= rho;
    ++result.iterations;
    result.penalty = mu;
    result.residual = rest.norm() / norm;
    result.sparse_share =
        static_cast<double>((y.array() != 0).count()) / static_cast<double>(y.size());
    result.converged = result.residual < options.tolerance;
  }
  return result;
}

}  // namespace sunder
