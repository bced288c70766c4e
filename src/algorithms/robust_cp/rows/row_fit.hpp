#pragma once
/// Robust regressions of many rows with one design.

#include <vector>

#include "algorithms/robust_cp/rows/row_problem.hpp"

namespace sunder::robust {

struct RowFitOptions {
  double sigma = 0;      ///< standard deviation of the inliers
  double tolerance = 0;  ///< what is fitted as well as the core is lies within 4 sigma + this
  int threads = 1;
  bool nonnegative = false;  ///< no coefficient may be negative
  bool warm = false;         ///< every row is tried from its warm start, too
};

struct RowFits {
  Matrix coefficients;          ///< A, a row each
  Eigen::ArrayXd share;         ///< of a row's entries that lie within 4 sigma
  std::vector<Index> doubtful;  ///< rows whose share is far below that of the others
};

/// Fits every row by itself. Doubtful rows are tried again, more cautiously and from `warm`.
RowFits fit_rows(const RowProblem& problem, const Matrix& warm, const RowFitOptions& options,
                 Monitor& monitor);

}  // namespace sunder::robust
