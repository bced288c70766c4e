#include "algorithms/robust_cp/noise/rows/noisy_extension.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/extend/extension.hpp"
#include "algorithms/robust_cp/levels/noise_rows.hpp"
#include "algorithms/robust_cp/levels/rows.hpp"
#include "algorithms/robust_cp/noise/rows/noisy_row_fit.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noisy_rows;

std::vector<Index> rows_outside(const std::vector<Index>& set, Index extent) {
  std::vector<Index> rest;
  for (Index i = 0; i < extent; ++i) {
    if (!std::binary_search(set.begin(), set.end(), i)) rest.push_back(i);
  }
  return rest;
}

/// An index, with a probability in proportion to its weight.
Index draw(const std::vector<double>& cumulative, Rng& rng) {
  const auto at =
      std::lower_bound(cumulative.begin(), cumulative.end(), rng.uniform() * cumulative.back());
  return std::min<Index>(at - cumulative.begin(), std::ssize(cumulative) - 1);
}

std::vector<double> cumulative_sizes(const Matrix& factor, Index component) {
  std::vector<double> sums;
  double sum = 0;
  for (Index i = 0; i < factor.rows(); ++i) {
    sum += std::abs(factor(i, component)) + tiny;
    sums.push_back(sum);
  }
  return sums;
}

void extend_mode(const RowSource& source, const IndexSets& sets, const NoisyFit& fit, int mode,
                 ExtendedFit& all, Rng& rng, Monitor& monitor) {
  const std::vector<Index> rest = rows_outside(sets[mode], source.engine.shape()[mode]);
  if (rest.empty()) return;
  const std::vector<Index> columns = draw_telling_columns(fit.factors, mode, rng);
  const Index length = columns.empty() ? levels::extension::assumed_length : std::ssize(columns);
  const auto block = static_cast<std::size_t>(
      std::max(levels::extension::least_rows, levels::extension::entries_at_once / length));
  for (std::size_t begin = 0; begin < rest.size(); begin += block) {
    const std::span<const Index> rows =
        std::span(rest).subspan(begin, std::min(block, rest.size() - begin));
    const RowProblem problem = read_rows(source, sets, fit.factors, mode, columns, rows);
    const NoisyRowFits found = fit_noisy_rows(problem,
                                              {.sigma = fit.noise.sigma(),
                                               .threads = source.engine.threads(),
                                               .nonnegative = source.constraints.nonnegative(mode)},
                                              rng, monitor);
    for (Index k = 0; k < std::ssize(rows); ++k) {
      all.factors[mode].row(rows[k]) = found.coefficients.row(k);
      const double noisier = found.deviation[k] * found.deviation[k] / all.noise.variance;
      if (noisier > limits::far_noisier) all.noise.scales[mode][rows[k]] = noisier;
    }
  }
}

}  // namespace

std::vector<Index> draw_telling_columns(const Factors& factors, int mode, Rng& rng) {
  const Index rank = factors.front().cols();
  Index all = 1;
  for (int m = 0; m < std::ssize(factors); ++m) {
    if (m != mode) all *= factors[m].rows();
  }
  const Index count = limits::columns * rank;
  if (count >= all) return {};
  const auto even = static_cast<Index>(limits::even_columns * static_cast<double>(count));
  std::vector<Index> columns = draw_columns(all, even, rng);
  for (Index component = 0; component < rank; ++component) {
    std::vector<std::vector<double>> sizes;
    for (const Matrix& factor : factors) sizes.push_back(cumulative_sizes(factor, component));
    for (Index k = 0; k < (count - even) / rank; ++k) {
      Index column = 0;
      for (int m = 0; m < std::ssize(factors); ++m) {
        if (m != mode) column = column * factors[m].rows() + draw(sizes[m], rng);
      }
      columns.push_back(column);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

RowProblem read_rows(const RowSource& source, const IndexSets& sets, const Factors& part, int mode,
                     std::span<const Index> columns, std::span<const Index> rows) {
  RowProblem problem = gather_rows(source.engine, sets, part, mode, source.scale, columns, rows);
  const Atoms& atoms = source.atoms;
  if (!atoms.zeros && !atoms.any_end()) return problem;
  for (Index i = 0; i < problem.rows(); ++i) {
    for (Index c = 0; c < problem.columns; ++c) {
      const double x = problem.values(i, c);
      if ((atoms.zeros && x == 0) || x <= atoms.lowest || x >= atoms.highest) {
        problem.values(i, c) = 0;
        problem.set(i, c, std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
  return problem;
}

ExtendedFit extend_rows(const RowSource& source, const IndexSets& sets, const NoisyFit& fit,
                        Rng& rng, Monitor& monitor) {
  const Shape& shape = source.engine.shape();
  ExtendedFit all{{}, fit.noise.spread_to(shape, sets)};
  if (source.constraints.shares()) {
    CoreSolution core;
    core.factors = fit.factors;
    core.sigma = fit.noise.sigma();
    core.spread = fit.noise.sigma();
    all.factors = extend(source.engine, sets, core,
                         {.scale = source.scale, .constraints = source.constraints}, rng, monitor);
    return all;
  }
  for (int mode = 0; mode < shape.order(); ++mode) {
    all.factors.push_back(Matrix::Zero(shape[mode], fit.factors.front().cols()));
    all.factors.back()(sets[mode], Eigen::all) = fit.factors[mode];
    extend_mode(source, sets, fit, mode, all, rng, monitor);
  }
  return all;
}

}  // namespace sunder::robust
