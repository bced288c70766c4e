#pragma once
/// Decompositions of dense matrices. Eigen's are templates that take longer to compile than
/// everything around them; here each is compiled once.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// A = U diag(values) V', thin, values descending.
struct Svd {
  Matrix u;
  Vector values;
  Matrix v;
};
enum class SingularVectors { none, left, right, both };

/// By divide and conquer: for matrices of any size.
Svd thin_svd(const Matrix& matrix, SingularVectors wanted = SingularVectors::both);
/// By Jacobi rotations: slower from fifty columns on, and more accurate.
Svd jacobi_svd(const Matrix& matrix, SingularVectors wanted = SingularVectors::both);

/// A = vectors diag(values) vectors', values ascending.
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
