#include "algorithms/robust_cp/consensus/row_moves.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/consensus/open_rows.hpp"
#include "algorithms/robust_cp/consensus/rival_rows.hpp"
#include "algorithms/robust_cp/consensus/search_levels.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"

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
    std::vector<Index> some =
        draw_columns(std::ssize(support), limits::columns_of_component, rng);
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
    const std::vector<Index> rows = 
        open_rows(slices_[mode], share_in_hyperplane(sampled(design), rng_));
    if (rows.empty()) return;
    const std::vector<Index> columns = columns_to_look_at(design, rng_);
    const RowProblem problem = some_rows(row_problem(window_.core, factors_, mode, columns), rows);
    const Matrix present = factors_[mode](rows, Eigen::all);
    const Rivals rivals = find_rivals(problem, present,
                                      {.level = window_.level,
                                       .nonnegative = window_.constraints.nonnegative(mode),
                                       .threads = window_.core.threads},
                                      rng_, monitor_);
    std::vector<Index> promising;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double least = limits::near * static_cast<double>(rivals.fitted[k] - problem.rank());
      if (rivals.fitted_by_rival[k] > 0 &&
          static_cast<double>(rivals.fitted_by_rival[k]) >= least) {
        promising.push_back(static_cast<Index>(k));
      }
    }
    if (!promising.empty()) compare(mode, rows, promising, rivals.coefficients);
  }

  /// Compares over the whole slices, and keeps the better of two rows.
  void compare(int mode, const std::vector<Index>& rows, const std::vector<Index>& promising,
               const Matrix& rivals) {
    Factors other = factors_;
    for (const Index k : promising) other[mode].row(rows[k]) = rivals.row(k);
    impose(window_.constraints, other);
    const std::vector<SliceStatistics> now = window_.fitted_in_slices(other, monitor_);
    Factors taken = factors_;
    Index gain = 0;
    for (const Index k : promising) {
      const Index row = rows[k];
      const Index rise = now[mode].fitted[row] - slices_[mode].fitted[row];
      // Any row fits as many entries as it has unknowns, so that so few are no difference.
      if (rise <= 0 && rise >= -factors_.front().cols()) ++moves_.ties;
      if (rise <= 0) continue;
      taken[mode].row(row) = rivals.row(k);
      gain += rise;
    }
    if (gain == 0) return;
    impose(window_.constraints, taken);
    std::vector<SliceStatistics> after = window_.fitted_in_slices(taken, monitor_);
    const Index rise = total(after) - total(slices_);
    if (rise <= 0) return;  // the constraints undid it
    factors_ = std::move(taken);
    slices_ = std::move(after);
    moves_.gain += rise;
  }

  static Index total(const std::vector<SliceStatistics>& slices) {
    Index sum = 0;
    for (const Index fitted : slices.front().fitted) sum += fitted;
    return sum;
  }

  Matrix sampled(const Matrix& design) {
    const std::vector<Index> some =
        draw_columns(design.rows(), limits::columns_of_hyperplane, rng_);
    return some.empty() ? design : Matrix(design(some, Eigen::all));
  }

  static RowProblem some_rows(const RowProblem& problem, const std::vector<Index>& rows) {
    RowProblem part(std::ssize(rows), problem.columns, problem.rank());
    part.values = problem.values(rows, Eigen::all);
    part.design = problem.design;
    if (!problem.complete()) part.observed = problem.observed(rows, Eigen::all);
    return part;
  }

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

}  // namespace sunder::robust
