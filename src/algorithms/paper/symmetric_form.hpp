#pragma once
/// Order-3 tensors as symmetric trilinear forms, which is how Procedure 1 of the paper uses them:
/// A(I, x, y) for many pairs of vectors at once, each product of all pairs one pass over the data.

#include "algorithms/cp/tensor_operator.hpp"

namespace sunder {

/// How a tensor is seen as a symmetric one, and what an eigenpair of that means for the tensor.
class SymmetricForm {
 public:
  virtual ~SymmetricForm() = default;
  /// Length of the vectors for a tensor of this shape.
  virtual Index dimension(const Shape& shape) const = 0;
  /// A(I, x_i, y_i) in column i.
  virtual Matrix contract(TensorOperator& tensor, const Matrix& x, const Matrix& y) const = 0;
  /// A(I, v_i, v_i) in column i.
  virtual Matrix square(TensorOperator& tensor, const Matrix& v) const = 0;
  /// The rank-one part of the tensor that has the eigenpair (lambda, v), |v| = 1.
  virtual CpModel component(double lambda, const Vector& v, const Shape& shape) const = 0;
};

/// A tensor that is symmetric: A(I, x, y) = T(I, x, y), components lambda v o v o v.
class SymmetricItself final : public SymmetricForm {
 public:
  Index dimension(const Shape& shape) const override { return shape[0]; }
  Matrix contract(TensorOperator& tensor, const Matrix& x, const Matrix& y) const override;
  Matrix square(TensorOperator& tensor, const Matrix& v) const override;
  CpModel component(double lambda, const Vector& v, const Shape& shape) const override;
};

/// The symmetric embedding of an n1 x n2 x n3 tensor (Ragnarsson and Van Loan 2013): the symmetric
/// tensor sym(T) of side n1 + n2 + n3 whose off-diagonal blocks are the six transpositions of T and
/// whose other blocks are zero. It is never formed: with x = [x1; x2; x3],
///
///     sym(T)(I, x, y) = [ T(I, x2, y3) + T(I, y2, x3);
///                         T(x1, I, y3) + T(y1, I, x3);
///                         T(x1, y2, I) + T(y1, x2, I) ].
///
/// Singular vectors u1, u2, u3 of T with the value sigma give the eigenvector 3^-1/2 [u1; u2; u3]
/// with the eigenvalue 2 sigma / sqrt(3).
class SymmetricEmbedding final : public SymmetricForm {
 public:
  Index dimension(const Shape& shape) const override { return shape[0] + shape[1] + shape[2]; }
  Matrix contract(TensorOperator& tensor, const Matrix& x, const Matrix& y) const override;
  Matrix square(TensorOperator& tensor, const Matrix& v) const override;
  /// All of sym(sigma u1 o u2 o u3), not lambda v o v o v: the four eigenvectors that a component
  /// of T has in sym(T) (its signs) are not orthogonal, so taking away one would spoil the others.
  CpModel component(double lambda, const Vector& v, const Shape& shape) const override;

  /// c = sqrt((n1 + n2 + n3) / (3 n1)), n1 the shortest: the embedding of a mu-incoherent tensor is
  /// c mu-incoherent.
  static double incoherence_factor(const Shape& shape);
};

}  // namespace sunder
