#include "algorithms/robust_cp/core/exact/healing.hpp"

#include "algorithms/robust_cp/core/exact/core_verdict.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace healing = levels::healing;

void refit_mode(const DenseCore& core, int mode, CoreSolution& solution, double sigma, Rng& rng,
                Monitor& monitor) {
  Matrix& factor = solution.factors[mode];
  const Index others = core.shape.entries() / core.shape[mode];
  const std::vector<Index> columns = draw_columns(others, columns_in_refit(factor.cols()), rng);
  factor = fit_rows(row_problem(core, solution.factors, mode, columns), factor,
                    {.sigma = sigma,
                     .tolerance = levels::refit_rounding * solution.spread,
                     .threads = core.threads},
                    monitor)
               .coefficients;
}

}  // namespace

bool has_poor_rows(const DenseCore& core, const CoreSolution& solution) {
  const Entries R = residual(core, solution.factors);
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const RowMatrix rows = unfold(core.shape, R, mode);
    const Eigen::ArrayXd share =
        (rows.array().abs() < rounding_level * solution.spread).cast<double>().rowwise().mean();
    if (share.minCoeff() < healing::poor_row * median({share.begin(), share.end()})) return true;
  }
  return false;
}

void heal_rows(const DenseCore& core, const std::vector<Index>& informative, CoreSolution& solution,
               Rng& rng, Monitor& monitor) {
  for (int sweep = 0; sweep < healing::sweeps; ++sweep) {
    const double before = solution.sigma;
    for (int mode = 0; mode < core.shape.order(); ++mode) {
      refit_mode(core, mode, solution, before, rng, monitor);
    }
    balance(solution.factors);
    judge(core, informative, solution);
    if (solution.exact || solution.sigma > healing::progress * before) return;
  }
}

}  // namespace sunder::robust
