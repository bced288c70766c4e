#include "algorithms/robust_cp/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "algorithms/robust_cp/graduated.hpp"
#include "algorithms/robust_cp/row_fit.hpp"

namespace sunder::robust {

namespace {

/// Two entries of a fibre: the slices they are in, and their ratio.
using Pair = std::tuple<Index, Index, double>;

/// All pairs of outliers in the fibres of a mode; not more than a few million of them.
std::vector<Pair> pairs_in_fibres(const RowMatrix& rows) {
  constexpr std::size_t enough = 4'000'000;
  std::vector<Pair> pairs;
  std::vector<Index> present;
  for (Index c = 0; c < rows.cols() && pairs.size() < enough; ++c) {
    present.clear();
    for (Index i = 0; i < rows.rows(); ++i) {
      if (rows(i, c) != 0) present.push_back(i);
    }
    for (std::size_t a = 0; a < present.size(); ++a) {
      for (std::size_t b = a + 1; b < present.size(); ++b) {
        pairs.emplace_back(present[a], present[b], rows(present[b], c) / rows(present[a], c));
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Rows that hang on a few outliers fit those whatever they are.
void keep_fitted_rows(const DenseCore& outliers, double level, Factors& component) {
  constexpr double few = 3;
  const Entries fitted =
      outliers.observed * (residual(outliers, component).abs() < level).cast<double>();
  for (int mode = 0; mode < outliers.shape.order(); ++mode) {
    const Eigen::ArrayXd count = unfold(outliers.shape, fitted, mode).rowwise().sum();
    for (Index i = 0; i < count.size(); ++i) {
      if (count[i] <= few) component[static_cast<std::size_t>(mode)].row(i).setZero();
    }
  }
}

}  // namespace

DenseCore outliers_of(const DenseCore& core, const Factors& factors, double level) {
  const Entries R = residual(core, factors);
  DenseCore outliers = core;
  outliers.observed = (R.abs() >= level).cast<double>();
  outliers.values = R * outliers.observed;
  return outliers;
}

Factors component_of_outliers(const DenseCore& outliers, double level, Rng& rng, Monitor& monitor) {
  Factors component;
  for (const Index extent : outliers.shape) component.push_back(Matrix::Zero(extent, 1));
  if (outliers.observed.sum() == 0) return component;
  component = graduated_fit(outliers, 1, {}, rng, monitor);
  keep_fitted_rows(outliers, level, component);
  return component;
}

bool has_proportional_rows(const DenseCore& outliers) {
  constexpr std::size_t few = 4;
  constexpr double tolerance = 1e-7;
  for (int mode = 0; mode < outliers.shape.order(); ++mode) {
    const std::vector<Pair> pairs = pairs_in_fibres(unfold(outliers.shape, outliers.values, mode));
    for (std::size_t k = few; k < pairs.size(); ++k) {
      const auto& [first, second, ratio] = pairs[k];
      const auto& [first_before, second_before, ratio_before] = pairs[k - few];
      if (first == first_before && second == second_before &&
          ratio - ratio_before <= tolerance * std::abs(ratio)) {
        return true;
      }
    }
  }
  return false;
}

bool is_contradicted(const DenseCore& core, const Factors& factors, double level, Rng& rng,
                     Monitor& monitor) {
  const Index rank = factors.front().cols();
  DenseCore rest = core;  // T itself, where it is not fitted
  rest.observed = outliers_of(core, factors, level).observed;
  rest.values *= rest.observed;
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const Index others = core.shape.entries() / core.shape[mode];
    const std::vector<Index> columns = draw_columns(others, columns_in_refit(rank), rng);
    const RowProblem problem = row_problem(rest, factors, mode, columns);
    const RowFits fits = fit_rows(problem, factors[static_cast<std::size_t>(mode)],
                                  {.tolerance = level, .threads = core.threads}, monitor);
    const Eigen::ArrayXd fitted = fits.share * problem.observed.rowwise().sum().array();
    const auto by_accident = static_cast<double>(3 * rank + 5);
    if ((fitted > by_accident && fits.share > 0.2).any()) return true;
  }
  return false;
}

double evidence_needed(const DenseCore& outliers, double tolerance) {
  std::vector<double> values;
  for (const double r : outliers.values) {
    if (r != 0) values.push_back(r);
  }
  std::sort(values.begin(), values.end());
  std::size_t twins = 0;
  std::size_t most = 0;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] - values[begin] < tolerance) ++end;
    if (end - begin > 1) twins += end - begin;
    most = std::max(most, end - begin);
  }
  const double tell = 0.05 * static_cast<double>(values.size());
  if (most > 2 && static_cast<double>(most) > tell) return 3;
  return static_cast<double>(twins) > tell ? 2 : 1;
}

}  // namespace sunder::robust
