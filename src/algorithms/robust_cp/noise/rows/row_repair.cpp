#include "algorithms/robust_cp/noise/rows/row_repair.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/robust_cp/levels/noise_rows.hpp"
#include "algorithms/robust_cp/levels/rows.hpp"
#include "algorithms/robust_cp/noise/part.hpp"
#include "algorithms/robust_cp/noise/rows/noisy_row_fit.hpp"
#include "core/random_order.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noisy_rows;

Index repair_mode(const RowSource& source, int mode, NoisyFit& fit, Rng& rng, Monitor& monitor) {
  const Shape& shape = source.engine.shape();
  IndexSets sets;
  Factors part;
  for (int m = 0; m < shape.order(); ++m) {
    sets.push_back(draw_distinct(shape[m], std::min(shape[m], limits::side), rng));
    std::sort(sets.back().begin(), sets.back().end());
    draw_rows_by_energy({fit.factors[m].rowwise().squaredNorm()}, sets.back(), rng);
    part.emplace_back(fit.factors[m](sets.back(), Eigen::all));
  }
  const std::vector<Index> columns = draw_telling_columns(part, mode, rng);
  std::vector<Index> every_row(shape[mode]);
  std::iota(every_row.begin(), every_row.end(), Index{0});
  const auto block = static_cast<std::size_t>(levels::extension::least_rows);
  const double sigma = fit.noise.sigma();
  Index changed = 0;
  for (std::size_t begin = 0; begin < every_row.size(); begin += block) {
    const std::span<const Index> rows =
        std::span(every_row).subspan(begin, std::min(block, every_row.size() - begin));
    const RowProblem problem = read_rows(source, sets, part, mode, columns, rows);
    const Eigen::ArrayXd present = row_costs(problem, fit.factors[mode](rows, Eigen::all), sigma);
    const NoisyRowFits found = fit_noisy_rows(problem,
                                              {.sigma = sigma,
                                               .threads = source.engine.threads(),
                                               .nonnegative = source.constraints.nonnegative(mode)},
                                              rng, monitor);
    for (Index k = 0; k < std::ssize(rows); ++k) {
      const double gain = (present[k] - found.cost[k]) * static_cast<double>(problem.columns);
      if (!(gain > limits::worth_a_repair)) continue;
      fit.factors[mode].row(rows[k]) = found.coefficients.row(k);
      fit.noise.scales[mode][rows[k]] = 1;  // it belonged to the row that was wrong
      ++changed;
    }
  }
  return changed;
}

}  // namespace

Index repair_rows(const RowSource& source, NoisyFit& fit, Rng& rng, Monitor& monitor) {
  if (source.constraints.shares() || !(fit.noise.sigma() > 0)) return 0;
  Index changed = 0;
  for (int mode = 0; mode < source.engine.shape().order(); ++mode) {
    changed += repair_mode(source, mode, fit, rng, monitor);
  }
  return changed;
}

}  // namespace sunder::robust
