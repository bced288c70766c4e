#include "algorithms/robust_cp/noise/casewise/slice_reason.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/candidate.hpp"
#include "algorithms/robust_cp/levels/casewise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::casewise;

/// Rows of a mode at equal distances, at most `most` of them.
std::vector<Index> thinned_rows(Index extent, Index most) {
  const Index count = std::min(extent, most);
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k) rows.push_back(k * extent / count);
  return rows;
}

/// T - L on some rows of a slice: its longest mode against the others.
Matrix residuals_of_slice(RunContext& context, const Factors& factors, const FlaggedSlice& slice) {
  IndexSets sets;
  Factors rows;
  int longest = slice.mode == 0 ? 1 : 0;
  for (int m = 0; m < context.shape.order(); ++m) {
    sets.push_back(m == slice.mode ? std::vector<Index>{slice.index}
                                   : thinned_rows(context.shape[m], limits::examined_side));
    rows.emplace_back(factors[m](sets.back(), Eigen::all));
    if (m != slice.mode && context.shape[m] > context.shape[longest]) longest = m;
  }
  DenseCore core = gather_core(context.engine, sets);
  core.values /= context.state.scale;  // the unit of the factors
  return unfold(core.shape, residual(core, rows), longest);
}

}  // namespace

double structure_of_slice(const Matrix& residuals, Index rank) {
  const auto rows = static_cast<double>(residuals.rows());
  const auto columns = static_cast<double>(residuals.cols());
  const double by_chance = static_cast<double>(rank) *
                           std::pow(std::sqrt(rows) + std::sqrt(columns), 2) / (rows * columns);
  if (!(by_chance < limits::too_small_to_tell)) return 0;
  std::vector<double> sizes(residuals.size());
  std::transform(residuals.reshaped().begin(), residuals.reshaped().end(), sizes.begin(),
                 [](double x) { return std::abs(x); });
  const double limit = limits::clipped_at * quantile(sizes, 0.5);
  const Matrix kept = residuals.cwiseMin(limit).cwiseMax(-limit);
  const bool wide = kept.rows() <= kept.cols();
  const Matrix gram = wide ? Matrix(kept * kept.transpose()) : Matrix(kept.transpose() * kept);
  const Vector energy =
      Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  const double all = energy.sum();
  if (!(all > 0)) return 0;
  const double explained = energy.tail(std::min(rank, energy.size())).sum() / all;
  return std::max((explained - by_chance) / (1 - by_chance), 0.0);
}

void find_reasons(RunContext& context, const Factors& factors, std::vector<FlaggedSlice>& flagged) {
  const std::size_t count = std::min(flagged.size(), limits::most_examined);
  for (std::size_t k = 0; k < count; ++k) {
    const Matrix left = residuals_of_slice(context, factors, flagged[k]);
    if (structure_of_slice(left, factors.front().cols()) > limits::has_structure) {
      flagged[k].reason = "another model";
    }
  }
}

}  // namespace sunder::robust
