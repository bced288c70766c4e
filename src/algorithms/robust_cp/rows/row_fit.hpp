#pragma once
/// Many robust regressions with one design: rows of Y against the columns of K.

#include <algorithm>
#include <span>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Rows of `values` (n x m) are to be explained as A K'. Columns are padded with zeros to whole
/// vectors.
struct RowProblem {
  RowProblem(Index rows, Index columns, Index rank);

  Index columns = 0;   ///< without the padding
  RowMatrix values;    ///< 0 where missing
  RowMatrix observed;  ///< 1 or 0; empty when nothing is missing
  Matrix design;       ///< K, m x r

  Index rows() const { return values.rows(); }
  Index rank() const { return design.cols(); }
  bool complete() const { return observed.size() == 0; }
  /// An entry is set; NaN stands for a missing one.
  void set(Index row, Index column, double value);
};

struct RowFitOptions {
  double sigma = 0;      ///< standard deviation of the inliers
  double tolerance = 0;  ///< what is fitted as well as the core is lies within 4 sigma + this
  int threads = 1;
  bool nonnegative = false;  ///< no coefficient may be negative
};

struct RowFits {
  Matrix coefficients;          ///< A, a row each
  Eigen::ArrayXd share;         ///< of a row's entries that lie within 4 sigma
  std::vector<Index> doubtful;  ///< rows whose share is far below that of the others
};

/// Fits every row by itself. Doubtful rows are tried again, more cautiously and from `warm`.
RowFits fit_rows(const RowProblem& problem, const Matrix& warm, const RowFitOptions& options,
                 Monitor& monitor);

/// The mode's rows against the Khatri-Rao product of the other factors, at `columns` of it (all if
/// empty).
RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode,
                       std::span<const Index> columns = {});

/// At most `count` distinct columns of the Khatri-Rao product of all modes but one, in order.
std::vector<Index> draw_columns(Index of, Index count, Rng& rng);
/// Far more than the unknowns of a row, even where most entries are outliers.
inline Index columns_in_refit(Index rank) { return std::max<Index>(400, 60 * rank); }

}  // namespace sunder::robust
