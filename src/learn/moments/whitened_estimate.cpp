// Notation:
//   W        whitening matrix, W' M2 W = I; B = (W')^+, so that B W' is the projection
//   T        M3(W, W, W) = sum_k lambda_k v_k o v_k o v_k with orthonormal v_k = W' u_k
#include "learn/moments/whitened_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense.hpp"

namespace sunder {

namespace {

constexpr int restarts = 10;  // per component, in addition to one for each of the rank
constexpr int power_iterations = 200;
constexpr double same_component = 0.9;  // cosine
constexpr double vanishing =
    1e-12;  // eigenvalues of M2 below this share of the largest count as zero

/// Computes T(I, v, v) of an r x r^2 tensor.
Vector square(const Matrix& t, const Vector& v) {
  const Matrix outer = v * v.transpose();
  return t * outer.reshaped();
}

/// Iterates the power method until it converges.
Vector ascended(const Matrix& t, Vector v) {
  for (int step = 0; step < power_iterations; ++step) {
    Vector next = square(t, v);
    const double norm = next.norm();
    if (!(norm > 0)) break;
    next /= norm;
    const double change = (next - v).norm();
    v = std::move(next);
    if (change < 1e-15) break;
  }
  return v;
}

Vector best_component(const Matrix& t, Rng& rng) {
  const Index rank = t.rows();
  double largest = 0;
  Vector best = Vector::Unit(rank, 0);  // the default for a zero tensor
  for (Index start = 0; start < rank + restarts; ++start) {
    const Vector random = Vector::NullaryExpr(rank, [&] { return rng.normal(); });
    Vector v = ascended(t, random.normalized());
    double value = v.dot(square(t, v));
    if (value < 0) {  // the tensor is far from orthogonal, and the iteration would not converge
      v = -v;
      value = -value;
    }
    if (value <= largest) continue;
    largest = value;
    best = v;
  }
  return best;
}

}  // namespace

Matrix contracted(const Matrix& third, const Matrix& w) {
  const Index n = third.rows();
  const Index r = w.cols();
  const Matrix once = w.transpose() * third;  // r x n^2
  Matrix result(r, r * r);
  for (Index a = 0; a < r; ++a) {
    const Matrix slice = once.row(a).reshaped(n, n);
    result.row(a) = (w.transpose() * slice * w).reshaped().transpose();
  }
  return result;
}

OrthogonalComponents orthogonal_components(const Matrix& tensor, Rng& rng) {
  const Index rank = tensor.rows();
  Matrix rest = tensor;
  Matrix v(rank, rank);
  for (Index k = 0; k < rank; ++k) {
    const Vector found = best_component(rest, rng);
    v.col(k) = found;
    const double lambda = found.dot(square(rest, found));
    const Matrix outer = found * found.transpose();
    rest -= lambda * found * outer.reshaped().transpose();
  }
  // Deflation passes the errors of early components on to late ones; on the whole tensor each
  // component is its own fixed point. Under noise, a component that is not a fixed point stays as
  // deflation left it.
  Vector values(rank);
  for (Index k = 0; k < rank; ++k) {
    const Vector whole = ascended(tensor, v.col(k));
    if (whole.dot(v.col(k)) > same_component) v.col(k) = whole;
    values[k] = v.col(k).dot(square(tensor, v.col(k)));
    if (values[k] < 0) {
      v.col(k) *= -1;
      values[k] *= -1;
    }
  }
  return {std::move(v), std::move(values)};
}

std::optional<MomentFactors> whitened_estimate(const Matrix& second, const Matrix& third, int rank,
                                               Rng& rng) {
  const SymmetricEigen eigen = symmetric_eigen(0.5 * (second + second.transpose()));
  const Vector values = eigen.values.tail(rank);
  const double top = eigen.values.cwiseAbs().maxCoeff();
  if (!(values[0] > vanishing * top)) return std::nullopt;
  const Matrix vectors = eigen.vectors.rightCols(rank);
  const Matrix w = vectors * values.cwiseSqrt().cwiseInverse().asDiagonal();
  OrthogonalComponents found = orthogonal_components(contracted(third, w), rng);
  return MomentFactors{vectors * values.cwiseSqrt().asDiagonal() * found.vectors,
                       std::move(found.values)};
}

}  // namespace sunder
