#include "algorithms/robust_cp/noise/row_repair.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels.hpp"
#include "algorithms/robust_cp/noise/noise_levels.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"
#include "core/random_order.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// Rows whose inlier share is low by more than the rows differ, and by more than chance.
std::vector<Index> suspicious_rows(const Vector& shares, double entries_of_row) {
  std::vector<double> values(shares.begin(), shares.end());
  const double middle = median(values);
  const double chance = std::sqrt(std::max(middle * (1 - middle), 0.0) / entries_of_row);
  const double width =
      limits::suspicious_width * std::max(robust_scale(values, middle), chance) + tiny;
  std::vector<Index> rows;
  for (Index i = 0; i < shares.size(); ++i) {
    if (shares[i] < middle - width) rows.push_back(i);
  }
  return rows;
}

double truncated_squares(const RowProblem& problem, Index row, const Eigen::RowVectorXd& x,
                         double sigma) {
  const double limit = inlier_width * inlier_width;
  double sum = 0;
  for (Index c = 0; c < problem.columns; ++c) {
    const double z = (problem.values(row, c) - problem.design.row(c).dot(x)) / sigma;
    if (problem.complete() || problem.observed(row, c) > 0) sum += std::min(z * z, limit);
  }
  return sum;
}

Index repair_mode(Engine& engine, double scale, int mode, bool nonnegative, NoisyFit& fit,
                  const std::vector<Index>& rows, Rng& rng, Monitor& monitor) {
  IndexSets sets;
  Factors part;
  Index all = 1;
  for (int m = 0; m < engine.shape().order(); ++m) {
    sets.push_back(
        draw_distinct(engine.shape()[m], std::min(engine.shape()[m], limits::repair_side), rng));
    std::sort(sets.back().begin(), sets.back().end());
    part.emplace_back(fit.factors[m](sets.back(), Eigen::all));
    if (m != mode) all *= std::ssize(sets.back());
  }
  const Index rank = fit.factors.front().cols();
  const std::vector<Index> columns = draw_columns(all, limits::repair_columns * rank, rng);
  const RowProblem problem = gather_rows(engine, sets, part, mode, scale, columns, rows);
  const Matrix present = fit.factors[mode](rows, Eigen::all);
  const double sigma = fit.noise.sigma();
  const RowFits fits = fit_rows(
      problem, present,
      {.sigma = sigma, .tolerance = 0, .threads = engine.threads(), .nonnegative = nonnegative},
      monitor);
  Index changed = 0;
  for (Index k = 0; k < std::ssize(rows); ++k) {
    const double own = sigma * std::sqrt(fit.noise.scales[mode][rows[k]]);
    const Eigen::RowVectorXd other = fits.coefficients.row(k);
    if (!(truncated_squares(problem, k, other, own) <
          limits::repaired * truncated_squares(problem, k, present.row(k), own))) {
      continue;
    }
    fit.factors[mode].row(rows[k]) = other;
    fit.noise.scales[mode][rows[k]] = 1;  // it belonged to the row that was wrong
    ++changed;
  }
  return changed;
}

}  // namespace

Index repair_rows(Engine& engine, double scale, const ModeConstraints& constraints, NoisyFit& fit,
                  Rng& rng, Monitor& monitor) {
  Index changed = 0;
  for (int mode = 0; mode < engine.shape().order(); ++mode) {
    if (constraints.shares() || !(fit.noise.sigma() > 0)) break;
    const std::vector<Index> rows =
        suspicious_rows(fit.inlier_shares[mode],
                        static_cast<double>(engine.shape().entries() / engine.shape()[mode]));
    if (rows.empty()) continue;
    changed +=
        repair_mode(engine, scale, mode, constraints.nonnegative(mode), fit, rows, rng, monitor);
  }
  return changed;
}

}  // namespace sunder::robust
