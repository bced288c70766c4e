// Notation: N, b  normal matrix and right side    P  indices that are not held at zero
#include "algorithms/cp/nonnegative_least_squares.hpp"

#include <Eigen/Cholesky>
#include <vector>

namespace sunder {

namespace {

/// The minimum over x that vanish outside P.
Vector solution_on(const Matrix& N, const Vector& b, const std::vector<bool>& P) {
  std::vector<Index> at;
  for (std::size_t j = 0; j < P.size(); ++j) {
    if (P[j]) at.push_back(static_cast<Index>(j));
  }
  Vector x = Vector::Zero(b.size());
  if (at.empty()) return x;
  const Matrix part = N(at, at);
  const Vector right_side = b(at);
  const Vector found = part.llt().solve(right_side);
  x(at) = found;
  return x;
}

/// From x, which is feasible, towards `target` until an entry of P becomes zero; those leave P.
void move_to_boundary(const Vector& target, std::vector<bool>& P, Vector& x) {
  double length = 1;
  for (Index j = 0; j < x.size(); ++j) {
    if (P[j] && target[j] <= 0) {
      length = std::min(length, x[j] / (x[j] - target[j]));
    }
  }
  x += length * (target - x);
  for (Index j = 0; j < x.size(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (P[at] && target[j] <= 0 && x[j] <= 1e-14 * target.cwiseAbs().maxCoeff()) {
      P[at] = false;
      x[j] = 0;
    }
  }
}

}  // namespace

Vector nonnegative_solution(const Matrix& N, const Vector& b) {
  const Index rank = b.size();
  if (rank == 0) return b;
  std::vector<bool> P(rank, true);
  Vector x = solution_on(N, b, P);
  if (x.minCoeff() >= 0) return x;
  P.assign(P.size(), false);
  x.setZero();
  const double tolerance = 1e-14 * b.cwiseAbs().maxCoeff();
  const Index most = 3 * rank + 10;  // in theory finite; rounding could make it cycle
  for (Index step = 0; step < most; ++step) {
    Vector slope = b - N * x;
    for (Index j = 0; j < rank; ++j) {
      if (P[j]) slope[j] = 0;
    }
    Index steepest = 0;
    if (!(slope.maxCoeff(&steepest) > tolerance)) break;
    P[steepest] = true;
    Vector target = solution_on(N, b, P);
    for (Index inner = 0; inner < rank && target.minCoeff() < 0; ++inner) {
      move_to_boundary(target, P, x);
      target = solution_on(N, b, P);
    }
    x = target.cwiseMax(0);
  }
  return x;
}

Matrix nonnegative_rows(const Matrix& normal, const Matrix& right_side) {
  Matrix result(right_side.rows(), right_side.cols());
  for (Index i = 0; i < right_side.rows(); ++i) {
    result.row(i) = nonnegative_solution(normal, right_side.row(i).transpose()).transpose();
  }
  return result;
}

}  // namespace sunder
