#pragma once
/// Many robust regressions with one design: rows of Y against the columns of K.

#include "algorithms/robust_cp/dense_core.hpp"

namespace sunder::robust {

/// Rows of `values` (n x m) are to be explained as A K'.
struct RowProblem {
  RowMatrix values;    ///< 0 where missing
  RowMatrix observed;  ///< 1 or 0; empty when nothing is missing
  Matrix design;       ///< K, m x r

  bool complete() const { return observed.size() == 0; }
};

/// Fits every row; rows of which too few entries lie within 4 sigma are tried again, more
/// cautiously and from `warm`. Rows of the result are the coefficients A.
Matrix fit_rows(const RowProblem& problem, const Matrix& warm, double sigma,
                const Heartbeat& heartbeat);

/// The mode's rows against the Khatri-Rao product of the other factors.
RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode);

}  // namespace sunder::robust
