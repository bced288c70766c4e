#pragma once
/// The covariance of a random tensor that is a product over the modes: one matrix for each of them.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

class SeparableCovariance {
 public:
  /// A first estimate for zero-mean residuals, from the pairs of entries with these weights.
  SeparableCovariance(const Shape& shape, const Entries& residuals, const Entries& weights);

  /// Estimates the matrices anew from a tensor that was drawn: each from the tensor whitened in the
  /// other modes. Each is mixed with its stationary part, in which the correlation of two rows
  /// depends on their distance alone (neighbours, or a week apart). That counts as many rows as
  /// the mode has, so that it decides only where the tensor tells little.
  void estimate(const Entries& drawn);

  /// Orthogonal eigenvectors of each mode, and the eigenvalues of the whole at each position.
  const std::vector<Matrix>& vectors() const { return vectors_; }
  const Entries& values() const { return values_; }

 private:
  void normalise();
  void decompose();

  Shape shape_;
  std::vector<Matrix> matrices_;
  std::vector<Matrix> vectors_;
  Entries values_;
};

}  // namespace sunder::robust
