#pragma once
/// Whitening (Anandkumar et al. 2014): a change of basis that makes the linearly independent
/// components of L orthogonal, and its inverse on the way back.
///
/// With the second moment M = A diag(w) A' of a mode, where A holds the components and w > 0, and
/// its eigenvectors U and eigenvalues s, W = U s^-1/2 has W' M W = I: the columns of
/// W' A diag(w)^1/2 are orthonormal. Whitened in every mode, L = sum_i w_i a_i o b_i o c_i becomes
/// an orthogonal r x r x r tensor.

#include "algorithms/cp/tensor_operator.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder {

class Whitening {
 public:
  /// One mode: eigenvectors (n x r, orthonormal) and positive eigenvalues of its second moment.
  struct Moment {
    Matrix vectors;
    Vector values;
  };

  /// Throws InputError if an eigenvalue is not positive.
  explicit Whitening(const std::vector<Moment>& moments);

  int order() const { return static_cast<int>(whiten_.size()); }
  /// W of a mode: n x r.
  const Matrix& matrix(int mode) const { return whiten_[mode]; }

  /// T(W, W, W): r x r x r, by one pass.
  DenseTensor whitened(TensorOperator& tensor) const;
  CpModel whitened(const CpModel& model) const;
  /// The inverse, on the span of W: components of the whitened tensor to those of the tensor.
  CpModel unwhitened(const CpModel& model) const;

 private:
  std::vector<Matrix> whiten_;    ///< W = U s^-1/2
  std::vector<Matrix> unwhiten_;  ///< (W')^+ = U s^1/2
};

/// The second moment A diag(|w|) A' of each mode of a model, from the singular values of
/// A diag(|w|)^1/2: forming the product would lose half the digits.
std::vector<Whitening::Moment> second_moments(const CpModel& model);

}  // namespace sunder
