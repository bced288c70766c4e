#include "algorithms/robust_cp/consensus/rows/hyperplane.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::rivals;

/// A direction orthogonal to r - 1 random columns.
Vector random_normal(const Matrix& design, Rng& rng) {
  const Index rank = design.cols();
  Matrix columns(rank, rank - 1);
  for (Index k = 0; k + 1 < rank; ++k) {
    columns.col(k) = design.row(static_cast<Index>(rng.below(design.rows()))).transpose();
    columns.col(k) /= std::max(columns.col(k).norm(), levels::tiny_length);
  }
  const Matrix q = Eigen::HouseholderQR<Matrix>(columns).householderQ();
  return q.col(rank - 1);
}

double share_orthogonal(const Matrix& design, const Vector& lengths, const Vector& direction) {
  const Vector product = (design * direction).cwiseAbs();
  const auto orthogonal = product.array() <= limits::orthogonal * lengths.array();
  return static_cast<double>(orthogonal.count()) / static_cast<double>(design.rows());
}

}  // namespace

double share_in_hyperplane(const Matrix& design, Rng& rng) {
  const Index rank = design.cols();
  if (design.rows() == 0) return 1;
  const Vector lengths = design.rowwise().norm();
  double most = 0;
  for (Index k = 0; k < rank; ++k) {
    most = std::max(most, share_orthogonal(design, lengths, Vector::Unit(rank, k)));
  }
  for (int draw = 0; rank > 1 && draw < limits::hyperplanes; ++draw) {
    most = std::max(most, share_orthogonal(design, lengths, random_normal(design, rng)));
  }
  // The columns are a sample.
  const auto count = static_cast<double>(design.rows());
  return std::min(1.0, most + limits::chance * std::sqrt(most * (1 - most) / count));
}

}  // namespace sunder::robust
