#include "algorithms/robust_cp/certificate/conditions/contradiction.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/levels.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"

namespace sunder::robust {

namespace {

/// The rows to look at, in ascending order.
std::vector<Index> weakest_rows(const SliceStatistics& slices) {
  std::vector<std::pair<double, Index>> weak;
  for (Index i = 0; i < slices.extent(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (slices.observed[k] == 0) continue;
    const double share =
        static_cast<double>(slices.fitted[k]) / static_cast<double>(slices.observed[k]);
    if (share < levels::contradiction::safe_share) weak.emplace_back(share, i);
  }
  std::sort(weak.begin(), weak.end());
  weak.resize(std::min(weak.size(), levels::contradiction::most_rows));
  std::vector<Index> rows;
  for (const auto& [share, i] : weak) rows.push_back(i);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The rows of each mode that are not zero.
IndexSets rows_at_work(const Factors& factors) {
  IndexSets sets;
  for (const Matrix& factor : factors) {
    std::vector<Index>& set = sets.emplace_back();
    for (Index i = 0; i < factor.rows(); ++i) {
      if (factor.row(i).squaredNorm() > 0) set.push_back(i);
    }
  }
  return sets;
}

Factors at(const Factors& factors, const IndexSets& sets) {
  Factors part;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    part.emplace_back(factors[m](sets[m], Eigen::all));
  }
  return part;
}

/// Marks the entries that these rows fit as missing.
void leave_out_fitted(RowProblem& problem, const Matrix& rows, double level) {
  const RowMatrix residual = problem.values - rows * problem.design.transpose();
  const RowMatrix left = (residual.array().abs() >= level).cast<double>();
  if (problem.complete()) {
    problem.observed = RowMatrix::Zero(problem.values.rows(), problem.values.cols());
    problem.observed.leftCols(problem.columns).setOnes();
  }
  problem.observed.array() *= left.array();
  problem.values.array() *= problem.observed.array();
}

}  // namespace

Index contradicted_rows(Engine& engine, const Factors& factors,
                        const std::vector<SliceStatistics>& slices, double level, Rng& rng,
                        Monitor& monitor) {
  const Index rank = factors.front().cols();
  const double unit = power_of_two_near(level);
  Factors scaled = factors;
  scaled.front() /= unit;
  const IndexSets sets = rows_at_work(scaled);
  const Factors design = at(scaled, sets);
  Index contradicted = 0;
  for (int mode = 0; mode < engine.shape().order(); ++mode) {
    const auto m = static_cast<std::size_t>(mode);
    const std::vector<Index> rows = weakest_rows(slices[m]);
    if (rows.empty()) continue;
    Index others = 1;
    for (std::size_t q = 0; q < sets.size(); ++q) {
      if (q != m) others *= std::ssize(sets[q]);
    }
    const std::vector<Index> columns = draw_columns(others, columns_in_refit(rank), rng);
    RowProblem problem = gather_rows(engine, sets, design, mode, unit, columns, rows);
    const Matrix own = scaled[m](rows, Eigen::all);
    leave_out_fitted(problem, own, level / unit);
    const RowFits fits =
        fit_rows(problem, own, {.tolerance = level / unit, .threads = engine.threads()}, monitor);
    const Eigen::ArrayXd fitted = fits.share * problem.observed.rowwise().sum().array();
    const auto by_accident = static_cast<double>(levels::contradiction::entries_per_unknown * rank +
                                                 levels::contradiction::entries_beyond);
    const double least_share = levels::contradiction::least_share;
    contradicted += (fitted > by_accident && fits.share > least_share).count();
  }
  return contradicted;
}

Check conditions::rows_not_contradicted(Evidence& evidence) {
  const TensorFit& fit = evidence.fit();
  return Check::passes_if_none(contradicted_rows(evidence.engine(), evidence.factors(), fit.slices,
                                                 fit.level, evidence.rng(), evidence.monitor()));
}

}  // namespace sunder::robust
