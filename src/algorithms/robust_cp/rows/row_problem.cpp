#include "algorithms/robust_cp/rows/row_problem.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/rows.hpp"

namespace sunder::robust {

namespace rows = levels::rows;

RowProblem::RowProblem(Index row_count, Index column_count, Index rank)
    : columns(column_count),
      values(RowMatrix::Zero(row_count,
                             (column_count + rows::padding - 1) / rows::padding * rows::padding)),
      design(Matrix::Zero(values.cols(), rank)) {}

void RowProblem::set(Index row, Index column, double value) {
  if (!std::isnan(value)) {
    values(row, column) = value;
    return;
  }
  if (complete()) {
    observed = RowMatrix::Zero(values.rows(), values.cols());
    observed.leftCols(columns).setOnes();
  }
  observed(row, column) = 0;
}

RowProblem without_dead_columns(const RowProblem& problem) {
  const Vector size = problem.design.topRows(problem.columns).rowwise().squaredNorm();
  const double least = rows::dead_column * (size.size() > 0 ? size.maxCoeff() : 0);
  std::vector<Index> alive;
  for (Index j = 0; j < size.size(); ++j) {
    if (size[j] > least) alive.push_back(j);
  }
  const auto count = std::ssize(alive);
  if (count == size.size()) return problem;
  RowProblem smaller(problem.rows(), count, problem.rank());
  smaller.values.leftCols(count) = problem.values(Eigen::all, alive);
  smaller.design.topRows(count) = problem.design(alive, Eigen::all);
  if (!problem.complete()) {
    smaller.observed = RowMatrix::Zero(smaller.values.rows(), smaller.values.cols());
    smaller.observed.leftCols(count) = problem.observed(Eigen::all, alive);
  }
  return smaller;
}

RowProblem row_problem(const DenseCore& core, const Factors& factors, int mode,
                       std::span<const Index> columns) {
  const RowMatrix values = unfold(core.shape, core.values, mode);
  const Matrix design = khatri_rao_of_others(factors, mode);
  const auto count = columns.empty() ? values.cols() : std::ssize(columns);
  RowProblem problem(values.rows(), count, design.cols());
  const auto copy = [&](const RowMatrix& from, auto&& to) {
    if (columns.empty()) {
      to = from;
    } else {
      to = from(Eigen::all, columns);
    }
  };
  copy(values, problem.values.leftCols(count));
  if (columns.empty()) {
    problem.design.topRows(count) = design;
  } else {
    problem.design.topRows(count) = design(columns, Eigen::all);
  }
  if (!core.complete()) {
    problem.observed = RowMatrix::Zero(problem.values.rows(), problem.values.cols());
    copy(unfold(core.shape, core.observed, mode), problem.observed.leftCols(count));
  }
  return problem;
}

std::vector<Index> draw_columns(Index of, Index count, Rng& rng) {
  std::vector<Index> columns;
  if (count >= of) return columns;
  // One from each of `count` equal parts: distinct, in order, spread over all.
  for (Index k = 0; k < count; ++k) {
    const Index begin = k * of / count;
    const Index end = (k + 1) * of / count;
    columns.push_back(begin +
                      static_cast<Index>(rng.below(static_cast<std::uint64_t>(end - begin))));
  }
  return columns;
}

Index columns_in_refit(Index rank) {
  return std::max(rows::least_refit_columns, rows::refit_columns * rank);
}

}  // namespace sunder::robust
