#pragma once
/// Dense matrix decompositions. Eigen's templates take longer to compile than the code around them,
/// so each one is compiled once, here.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// A = U diag(values) V', thin, with descending values.
struct Svd {
  Matrix u;
  Vector values;
  Matrix v;
};
enum class SingularVectors { none, left, right, both };

/// Uses divide and conquer; suits matrices of any size.
Svd thin_svd(const Matrix& matrix, SingularVectors wanted = SingularVectors::both);
/// Uses Jacobi rotations: more accurate, but slower from fifty columns on.
Svd jacobi_svd(const Matrix& matrix, SingularVectors wanted = SingularVectors::both);

/// A = vectors diag(values) vectors', with ascending values.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_eigen(const Matrix& matrix);
Vector symmetric_eigenvalues(const Matrix& matrix);

/// A = basis triangle, with min(rows, columns) columns in the basis.
struct Qr {
  Matrix basis;
  Matrix triangle;
};
Qr thin_qr(const Matrix& matrix);
Matrix qr_triangle(const Matrix& matrix);

}  // namespace sunder
