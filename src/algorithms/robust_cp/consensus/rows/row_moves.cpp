#include "algorithms/robust_cp/consensus/rows/row_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/robust_cp/consensus/rows/column_classes.hpp"
#include "algorithms/robust_cp/consensus/rows/hyperplane.hpp"
#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"
#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"
#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::rivals;

/// Columns of the design, in ascending order: evenly drawn ones, and some from the support of each
/// component. Drawing them by size would look where an adversary has been. Empty: all of them.
std::vector<Index> columns_to_look_at(const Matrix& design, Rng& rng) {
  std::vector<Index> columns = draw_columns(design.rows(), limits::columns, rng);
  if (columns.empty()) return columns;
  for (Index k = 0; k < design.cols(); ++k) {
    std::vector<Index> support;
    for (Index j = 0; j < design.rows(); ++j) {
      if (design(j, k) != 0) support.push_back(j);
    }
    if (std::ssize(support) == design.rows()) continue;  // the even draw sees it already
    std::vector<Index> some = draw_columns(std::ssize(support), limits::columns_of_component, rng);
    for (Index& j : some) j = support[j];
    const std::vector<Index>& chosen = some.empty() ? support : some;
    columns.insert(columns.end(), chosen.begin(), chosen.end());
  }
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return columns;
}

class RowMover {
 public:
  RowMover(const Window& window, Factors& factors, Rng& rng, Monitor& monitor)
      : window_(window), factors_(factors), rng_(rng), monitor_(monitor) {}

  RowMoves run() {
    slices_ = window_.fitted_in_slices(factors_, monitor_);
    for (int mode = 0; mode < window_.core.shape.order(); ++mode) {
      if (window_.constraints.leader(mode) == mode) look_at(mode);
    }
    return moves_;
  }

 private:
  void look_at(int mode) {
    const Matrix design = khatri_rao_of_others(factors_, mode);
    const std::vector<Index> rows = rows_to_look_at(mode, design);
    if (rows.empty()) return;
    const std::vector<Index> columns = columns_to_look_at(design, rng_);
    const RowProblem problem = problem_at(mode, design, rows, columns);
    const Matrix present = factors_[mode](rows, Eigen::all);
    const Rivals rivals =
        find_rivals_after_first_look(problem, present,
                                     {.level = window_.level,
                                      .nonnegative = window_.constraints.nonnegative(mode),
                                      .threads = window_.core.threads},
                                     rng_, monitor_);
    const std::vector<Index> promising = rivals.promising();
    if (!promising.empty()) compare(mode, rows, promising, rivals.coefficients);
  }

  /// Compares over the whole slices, and keeps the better of two rows; all of the others where
  /// together they fit the most, as rows of modes that share a factor can.
  void compare(int mode, const std::vector<Index>& rows, const std::vector<Index>& promising,
               const Matrix& rivals) {
    Factors other = factors_;
    for (const Index k : promising) other[mode].row(rows[k]) = rivals.row(k);
    follow_leaders(window_.constraints, factors_, other);
    const std::vector<SliceStatistics> now = window_.fitted_in_slices(other, monitor_);
    Factors taken = factors_;
    Index gain = 0;
    for (const Index k : promising) {
      const Index row = rows[k];
      const Index rise = fitted_by_row(now, mode, row) - fitted_by_row(slices_, mode, row);
      // Any row fits as many entries as it has unknowns, so that so few are no difference.
      if (rise <= 0 && rise >= -factors_.front().cols()) ++moves_.ties;
      if (rise <= 0) continue;
      taken[mode].row(row) = rivals.row(k);
      gain += rise;
    }
    const bool all_are_better = total(now) > total(slices_);
    if (gain == 0 && !all_are_better) return;
    follow_leaders(window_.constraints, factors_, taken);
    std::vector<SliceStatistics> after = window_.fitted_in_slices(taken, monitor_);
    if (all_are_better && total(now) > total(after)) {
      taken = std::move(other);
      after = now;
    }
    const Index rise = total(after) - total(slices_);
    if (rise <= 0) return;  // rows of modes that share a factor undid each other
    factors_ = std::move(taken);
    slices_ = std::move(after);
    moves_.gain += rise;
  }

  /// In all slices that the row belongs to: one for each mode that shares the factor.
  Index fitted_by_row(const std::vector<SliceStatistics>& slices, int mode, Index row) const {
    Index fitted = 0;
    for (int m = 0; m < window_.core.shape.order(); ++m) {
      if (window_.constraints.leader(m) == mode) fitted += slices[m].fitted[row];
    }
    return fitted;
  }

  static Index total(const std::vector<SliceStatistics>& slices) {
    Index sum = 0;
    for (const Index fitted : slices.front().fitted) sum += fitted;
    return sum;
  }

  /// Rows that a rival could beat. Where components are zero on some columns, it might beat a row
  /// on those columns alone where they are not, so that each such class of columns is asked.
  std::vector<Index> rows_to_look_at(int mode, const Matrix& design) {
    const ColumnClasses classes(design);
    if (classes.count() == 1) {
      return open_rows(slices_[mode], design.cols(), share_in_hyperplane(sampled(design), rng_));
    }
    const std::vector<SliceStatistics> fitted = fitted_by_class(mode, classes);
    std::vector<Index> rows;
    for (Index c = 0; c < classes.count(); ++c) {
      const Matrix alive = classes.alive_part(design, c);
      if (alive.cols() == 0) continue;  // no row changes anything there
      const double share = share_in_hyperplane(sampled(alive), rng_);
      for (const Index row : open_rows(fitted[c], alive.cols(), share)) rows.push_back(row);
    }
    std::ranges::sort(rows);
    const auto repeated = std::ranges::unique(rows);
    rows.erase(repeated.begin(), repeated.end());
    return rows;
  }

  /// For each class of columns and each row: entries that are fitted.
  std::vector<SliceStatistics> fitted_by_class(int mode, const ColumnClasses& classes) const {
    const DenseCore& core = window_.core;
    const Entries R = residual(core, factors_);
    std::vector<SliceStatistics> fitted(classes.count(),
                                        SliceStatistics(core.shape[mode], SliceDetail::counts));
    Index right = 1;
    for (int m = mode + 1; m < core.shape.order(); ++m) right *= core.shape[m];
    for (Index i = 0; i < R.size(); ++i) {
      if (!core.is_observed(i)) continue;
      const Index row = i / right % core.shape[mode];
      const Index column = i / (right * core.shape[mode]) * right + i % right;
      SliceStatistics& counts = fitted[classes.of(column)];
      ++counts.observed[row];
      counts.fitted[row] += std::abs(R[i]) < window_.level ? 1 : 0;
    }
    return fitted;
  }

  Matrix sampled(const Matrix& design) {
    const std::vector<Index> some =
        draw_columns(design.rows(), limits::columns_of_hyperplane, rng_);
    return some.empty() ? design : Matrix(design(some, Eigen::all));
  }

  /// The rows at these columns of the design, or at all of them if the list is empty.
  RowProblem problem_at(int mode, const Matrix& design, const std::vector<Index>& rows,
                        const std::vector<Index>& columns) const {
    const DenseCore& core = window_.core;
    Index right = 1;
    for (int m = mode + 1; m < core.shape.order(); ++m) right *= core.shape[m];
    const Index count = columns.empty() ? design.rows() : std::ssize(columns);
    RowProblem problem(std::ssize(rows), count, design.cols());
    for (Index c = 0; c < count; ++c) {
      const Index column = columns.empty() ? c : columns[c];
      problem.design.row(c) = design.row(column);
      const Index first = column / right * right * core.shape[mode] + column % right;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Index at = first + rows[k] * right;
        problem.set(static_cast<Index>(k), c,
                    core.is_observed(at) ? core.values[at] : missing_value);
      }
    }
    return problem;
  }

  static constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

  const Window& window_;
  Factors& factors_;
  Rng& rng_;
  Monitor& monitor_;
  std::vector<SliceStatistics> slices_;
  RowMoves moves_;
};

}  // namespace

RowMoves improve_rows(const Window& window, Factors& factors, Rng& rng, Monitor& monitor) {
  if (factors.front().cols() == 0) return {};
  return RowMover(window, factors, rng, monitor).run();
}

void settle_rows(const Window& window, Factors& factors, Rng& rng, Monitor& monitor) {
  for (int sweep = 0; sweep < levels::search::heal_sweeps; ++sweep) {
    if (improve_rows(window, factors, rng, monitor).gain == 0) return;
  }
}

}  // namespace sunder::robust
