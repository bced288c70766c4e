#pragma once
/// The product of two dense matrices, with run-time dispatch. Eigen is compiled for the oldest
/// machines; from some thousand multiplications on, this takes a third of its time or less.

#include "sunder/core/shape.hpp"

namespace sunder::kernels {

/// A matrix whose entries are anywhere in memory: (i, j) at data + i * row_step + j * column_step.
struct MatrixView {
  const double* data = nullptr;
  Index rows = 0;
  Index columns = 0;
  Index row_step = 0;
  Index column_step = 0;

  MatrixView transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// Computes C = A B, or C += A B. Row i of C begins at c + i * c_step; C must not overlap A or B.
/// Flops: 2 rows columns depth. Each entry of C is summed in the order of the depth, so that it has
/// the same bits for any length of a vector.
void multiply(const MatrixView& a, const MatrixView& b, double* c, Index c_step, bool add = false);

namespace reference {
void multiply(const MatrixView& a, const MatrixView& b, double* c, Index c_step, bool add = false);
}  // namespace reference

}  // namespace sunder::kernels
