#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/consensus/rows/rival_rows.hpp"
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

std::vector<Index> open_rows(const SliceStatistics& slices, double in_hyperplane) {
  std::vector<Index> rows;
  const double safe = (1 + in_hyperplane) / 2 + limits::safe_margin;
  for (Index i = 0; i < slices.extent(); ++i) {
    if (slices.fitted[i] == slices.observed[i]) continue;
    if (static_cast<double>(slices.fitted[i]) <= safe * static_cast<double>(slices.observed[i])) {
      rows.push_back(i);
    }
  }
  return rows;
}

RowsOfSparse rows_by_sparse(const SliceStatistics& slices) {
  std::vector<double> share;
  double observed = 0;
  for (Index i = 0; i < slices.extent(); ++i) {
    const auto all = static_cast<double>(std::max<Index>(slices.observed[i], 1));
    share.push_back(static_cast<double>(slices.observed[i] - slices.fitted[i]) / all);
    observed += all / static_cast<double>(slices.extent());
  }
  RowsOfSparse rows;
  rows.order.resize(share.size());
  std::iota(rows.order.begin(), rows.order.end(), Index{0});
  std::ranges::stable_sort(rows.order, std::greater{}, [&](Index i) { return share[i]; });
  const double usual = median(share);
  const double sigma = std::sqrt(usual * (1 - usual) / observed) + 1 / observed;
  for (const double s : share) {
    rows.standing_out += s > usual + levels::boxes::stands_out * sigma ? 1 : 0;
  }
  return rows;
}

RowChanges SampledRows::look(const std::vector<Index>& rows, Rng& rng, Monitor& monitor) const {
  RowChanges changes;
  changes.coefficients.resize(0, factors_.front().cols());
  for (std::size_t begin = 0; begin < rows.size(); begin += limits::rows_at_once) {
    const std::size_t end = std::min(begin + limits::rows_at_once, rows.size());
    look_at({rows.begin() + static_cast<std::ptrdiff_t>(begin),
             rows.begin() + static_cast<std::ptrdiff_t>(end)},
            rng, monitor, changes);
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

void SampledRows::look_at(const std::vector<Index>& rows, Rng& rng, Monitor& monitor,
                          RowChanges& changes) const {
  const Matrix present = factors_[mode_](rows, Eigen::all);
  const RowProblem some = draw(rows, limits::columns, rng);
  const Rivals rivals = find_rivals(
      some, present, {.level = level_, .nonnegative = nonnegative_, .threads = engine_.threads()},
      rng, monitor);
  std::vector<Index> found;
  for (Index k = 0; k < std::ssize(rows); ++k) {
    if (rivals.fitted_by_rival[k] > 0) found.push_back(k);
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
  for (Index k = 0; k < factors_.front().cols() && !columns.empty(); ++k) {
    add_columns_of_component(k, rng, columns);
  }
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return gather_rows(engine_, sets, factors_, mode_, scale_, columns, rows);
}

/// Columns on the support of a component that is not at work everywhere.
void SampledRows::add_columns_of_component(Index component, Rng& rng,
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
  for (Index draw = 0; draw < limits::columns_of_component; ++draw) {
    Index column = 0;
    for (std::size_t m = 0; m < factors_.size(); ++m) {
      if (static_cast<int>(m) == mode_) continue;
      column = column * factors_[m].rows() + supports[m][rng.below(supports[m].size())];
    }
    columns.push_back(column);
  }
}

}  // namespace sunder::robust
