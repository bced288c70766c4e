#pragma once
/// Many regressions with one design: rows of Y against the columns of K.

#include <span>
#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Rows of `values` (n x m) are to be explained as A K'. Columns are padded with zeros to whole
/// vectors.
struct RowProblem {
  RowProblem(Index row_count, Index column_count, Index rank);

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

/// The same without columns on which the model is identically zero: they carry no information.
RowProblem without_dead_columns(const RowProblem& problem);

/// The mode's rows against the Khatri-Rao product of the other factors, at `columns` of it (all if
/// empty).
RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode,
                       std::span<const Index> columns = {});

/// At most `count` distinct columns of the Khatri-Rao product of all modes but one, in order.
/// Empty, which stands for all of them, if there are no more.
std::vector<Index> draw_columns(Index of, Index count, Rng& rng);
/// Far more than the unknowns of a row, even where most entries are outliers.
Index columns_in_refit(Index rank);

}  // namespace sunder::robust
