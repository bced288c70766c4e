#include "algorithms/robust_cp/consensus/rows/sampled_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/rows/row_regression.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::rivals;

Eigen::ArrayXd fitted_by(const RowProblem& problem, const Matrix& rows, double level) {
  const RowMatrix residual = problem.values - rows * problem.design.transpose();
  Eigen::ArrayXd count = Eigen::ArrayXd::Zero(problem.rows());
  for (Index i = 0; i < problem.rows(); ++i) {
    for (Index j = 0; j < problem.columns; ++j) {
      const bool known = problem.complete() || problem.observed(i, j) > 0;
      count[i] += known && std::abs(residual(i, j)) < level ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

RowChanges SampledRows::look(const std::vector<Index>& rows, double fitted_share, Rng& rng,
                             Monitor& monitor) const {
  RowChanges changes;
  changes.coefficients.resize(0, factors_.front().cols());
  for (std::size_t begin = 0; begin < rows.size(); begin += limits::rows_at_once) {
    const std::size_t end = std::min(begin + limits::rows_at_once, rows.size());
    look_at({rows.begin() + static_cast<std::ptrdiff_t>(begin),
             rows.begin() + static_cast<std::ptrdiff_t>(end)},
            fitted_share, rng, monitor, changes);
  }
  return changes;
}

Index SampledRows::contradicted(const std::vector<Index>& rows, Rng& rng, Monitor& monitor) const {
  namespace many = levels::contradiction;
  const Index rank = factors_.front().cols();
  const Matrix present = factors_[mode_](rows, Eigen::all);
  const RowProblem rest = without_fitted(
      draw(rows, std::max(many::columns, many::columns_per_unknown * rank), rng), present, level_);
  monitor.beat();
  const SharedDesign shared(rest);
  RowRegression regression(shared, 0, nonnegative_);
  const auto by_accident = static_cast<double>(3 * rank + many::beyond);
  Index count = 0;
  for (Index k = 0; k < rest.rows(); ++k) {
    const double left = rest.observed.row(k).sum();
    if (left <= by_accident) continue;
    regression.solve(k, low_quantile, RowStart::least_squares);
    const double share = regression.share_within(level_);
    // Errors that are zero have no model.
    const double size = (rest.design * regression.coefficients()).cwiseAbs().maxCoeff();
    if (size < limits::another * level_) continue;
    count += share > many::part && share * left > by_accident ? 1 : 0;
  }
  return count;
}

/// The rows for which a few columns show a rival that comes near.
std::vector<Index> SampledRows::promising(const std::vector<Index>& rows, double fitted_share,
                                          Rng& rng, Monitor& monitor) const {
  const Index few = columns_of_first_look(factors_.front().cols(), fitted_share);
  if (limits::columns < limits::worth_a_first_look * few) return rows;
  const Matrix present = factors_[mode_](rows, Eigen::all);
  std::vector<Index> found = rivals_on(draw(rows, few, rng), present, rng, monitor).promising();
  for (Index& row : found) row = rows[row];
  return found;
}

Rivals SampledRows::rivals_on(const RowProblem& problem, const Matrix& present, Rng& rng,
                              Monitor& monitor) const {
  return find_rivals(problem, present,
                     {.level = level_, .nonnegative = nonnegative_, .threads = engine_.threads()},
                     rng, monitor);
}

void SampledRows::look_at(const std::vector<Index>& all, double fitted_share, Rng& rng,
                          Monitor& monitor, RowChanges& changes) const {
  const std::vector<Index> rows = promising(all, fitted_share, rng, monitor);
  if (rows.empty()) return;
  const Matrix present = factors_[mode_](rows, Eigen::all);
  const Rivals rivals = rivals_on(draw(rows, limits::columns, rng), present, rng, monitor);
  std::vector<Index> found;
  for (Index k = 0; k < std::ssize(rows); ++k) {
    if (rivals.found(k)) found.push_back(k);
  }
  if (found.empty()) return;
  std::vector<Index> again;
  for (const Index k : found) again.push_back(rows[k]);
  const RowProblem others = draw(again, limits::columns, rng);
  const Matrix old_rows = present(found, Eigen::all);
  const Matrix new_rows = rivals.coefficients(found, Eigen::all);
  const Eigen::ArrayXd now = fitted_by(others, old_rows, level_);
  const Eigen::ArrayXd then = fitted_by(others, new_rows, level_);
  const Matrix change = (new_rows - old_rows) * others.design.transpose();
  for (Index k = 0; k < std::ssize(found); ++k) {
    // The two rows differ on these columns alone. A share of them that is close to a half could be
    // chance.
    const auto affected = static_cast<double>((change.row(k).array().abs() >= level_).count());
    const double chance = std::min(limits::chance * std::sqrt(affected), affected);
    const double rise = then[k] - now[k];
    if (rise > chance) {
      changes.rows.push_back(again[k]);
      changes.coefficients.conservativeResize(std::ssize(changes.rows), Eigen::NoChange);
      changes.coefficients.bottomRows(1) = new_rows.row(k);
    } else if (rise > -chance) {
      ++changes.ties;
    }
  }
}

RowProblem SampledRows::draw(const std::vector<Index>& rows, Index count, Rng& rng) const {
  IndexSets sets;
  Index others = 1;
  for (std::size_t m = 0; m < factors_.size(); ++m) {
    std::vector<Index>& set = sets.emplace_back(factors_[m].rows());
    std::iota(set.begin(), set.end(), Index{0});
    if (static_cast<int>(m) != mode_) others *= std::ssize(set);
  }
  std::vector<Index> columns = draw_columns(others, count, rng);
  const Index on_component = std::min(limits::columns_of_component, count);
  for (Index k = 0; k < factors_.front().cols() && !columns.empty(); ++k) {
    add_columns_of_component(k, on_component, rng, columns);
  }
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return gather_rows(engine_, sets, factors_, mode_, scale_, columns, rows);
}

/// Columns on the support of a component that is not at work everywhere.
void SampledRows::add_columns_of_component(Index component, Index count, Rng& rng,
                                           std::vector<Index>& columns) const {
  std::vector<std::vector<Index>> supports;
  bool everywhere = true;
  for (const Matrix& factor : factors_) {
    const auto values = factor.col(component).cwiseAbs();
    const double least = limits::least_design * values.maxCoeff();
    std::vector<Index>& support = supports.emplace_back();
    for (Index i = 0; i < factor.rows(); ++i) {
      if (values[i] > least) support.push_back(i);
    }
    if (support.empty()) return;
    everywhere = everywhere && std::ssize(support) == factor.rows();
  }
  if (everywhere) return;
  for (Index draw = 0; draw < count; ++draw) {
    Index column = 0;
    for (std::size_t m = 0; m < factors_.size(); ++m) {
      if (static_cast<int>(m) == mode_) continue;
      column = column * factors_[m].rows() + supports[m][rng.below(supports[m].size())];
    }
    columns.push_back(column);
  }
}

}  // namespace sunder::robust
