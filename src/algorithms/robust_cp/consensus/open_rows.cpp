#include "algorithms/robust_cp/consensus/open_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/consensus/rival_rows.hpp"
#include "algorithms/robust_cp/consensus/search_levels.hpp"
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

void SampledRows::look_at(const std::vector<Index>& rows, Rng& rng, Monitor& monitor,
                          RowChanges& changes) const {
  const Matrix present = factors_[mode_](rows, Eigen::all);
  const RowProblem some = draw(rows, rng);
  const Rivals rivals = find_rivals(
      some, present,
      {.level = level_, .nonnegative = nonnegative_, .threads = engine_.threads()}, rng, monitor);
  const RowProblem others = draw(rows, rng);
  const Eigen::ArrayXd now = fitted_by(others, present, level_);
  const Eigen::ArrayXd then = fitted_by(others, rivals.coefficients, level_);
  for (Index k = 0; k < std::ssize(rows); ++k) {
    if (rivals.fitted_by_rival[k] == 0) continue;
    const double rise = then[k] - now[k] +
                        static_cast<double>(rivals.fitted_by_rival[k] - rivals.fitted[k]);
    // What chance makes of the difference of two counts over as many columns.
    const double chance = limits::chance * std::sqrt(2 * static_cast<double>(others.columns));
    if (rise > chance) {
      changes.rows.push_back(rows[k]);
      changes.coefficients.conservativeResize(std::ssize(changes.rows), Eigen::NoChange);
      changes.coefficients.bottomRows(1) = rivals.coefficients.row(k);
    } else if (rise > -chance) {
      ++changes.ties;
    }
  }
}

RowProblem SampledRows::draw(const std::vector<Index>& rows, Rng& rng) const {
  IndexSets sets;
  for (const Matrix& factor : factors_) {
    std::vector<Index>& set = sets.emplace_back(factor.rows());
    std::iota(set.begin(), set.end(), Index{0});
  }
  Index others = 1;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    if (static_cast<int>(m) != mode_) others *= std::ssize(sets[m]);
  }
  const std::vector<Index> columns = draw_columns(others, limits::columns, rng);
  return gather_rows(engine_, sets, factors_, mode_, scale_, columns, rows);
}

}  // namespace sunder::robust
