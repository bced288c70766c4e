#include "algorithms/robust_cp/core/core_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/core/algebra/curvature.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/exact/core_verdict.hpp"
#include "algorithms/robust_cp/core/exact/healing.hpp"
#include "algorithms/robust_cp/core/exact/residual_signs.hpp"
#include "algorithms/robust_cp/core/exact/sharpening.hpp"
#include "algorithms/robust_cp/core/exact/surplus.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/core/graduated/graduated.hpp"

namespace sunder::robust {

namespace {

namespace ladder = levels::ladder;

/// Surplus ranks and first scales, from the cheapest start to the most patient one. Surplus
/// components are for blocks, each of which is nearly a component itself.
std::array<GraduatedOptions, ladder::rungs> starts_for(const Shape& shape, int rank) {
  std::vector<Index> extents(shape.begin(), shape.end());
  std::sort(extents.begin(), extents.end());
  const Index size = extents[extents.size() / 2];
  const Index most = shape.order() > 2 ? extents[1] - rank : extents[0] / 2 - rank;
  const auto surplus = [&](Index parts) {
    const Index wanted =
        std::max(parts * ladder::least_surplus, parts * size / ladder::surplus_part);
    return static_cast<int>(std::max<Index>(0, std::min(wanted, most)));
  };
  return {{{0, ladder::cheap_width},
           {surplus(1), ladder::patient_width},
           {surplus(2), ladder::patient_width}}};
}

/// Exact before not exact; then by what is fitted to rounding, and by the noise of the inliers.
bool is_better(const CoreSolution& a, const CoreSolution& b) {
  const auto quality = [](const CoreSolution& s) {
    return std::tuple(!s.exact, -std::round(ladder::share_steps * s.exact_share), s.sigma);
  };
  return quality(a) < quality(b);
}

/// CORE, at one rank: the ladder of starts, and what makes an exact solution as good as it gets.
class CoreSolver {
 public:
  CoreSolver(const DenseCore& core, const CoreOptions& options, Rng& rng, Monitor& monitor)
      : core_(core),
        options_(options),
        rng_(rng),
        monitor_(monitor),
        informative_(thinned(informative(core))),
        spread_(spread(core, informative_)) {}

  CoreSolution solve(int rank) {
    std::optional<CoreSolution> best;
    int starts = 0;
    for (const GraduatedOptions& start : starts_for(core_.shape, rank)) {
      CoreSolution solution = solve_from(start, rank);
      ++starts;
      if (!best || is_better(solution, *best)) best = std::move(solution);
      if (best->exact || starts >= options_.rungs) break;
      if (options_.until_noise && best->noise_like) break;
    }
    if (options_.constraints.any()) {
      constrain(core_, options_.constraints, best->sigma, best->factors, monitor_);
      judge(core_, informative_, *best);
    }
    found_exact_ = best->exact;
    if (found_exact_) finish(*best);
    best->starts = starts;
    return *best;
  }

  /// Whether the last fit of solve() was exact before it was finished. Surplus components can share
  /// what fewer could do in such a way that they blur what fits to rounding.
  bool found_exact() const { return found_exact_; }

  /// Gauss-Newton on the inliers, whose limit falls from the present noise down to rounding.
  CoreSolution solve_near(Factors factors) {
    CoreSolution solution;
    solution.spread = spread_;
    double width = inlier_width * inlier_sigma(magnitudes_at(core_, factors, informative_));
    for (int step = 0; step < ladder::approach_steps; ++step) {
      factors = stepped(factors, weighted_gauss_newton_step(core_, factors, width,
                                                            levels::patient_step, monitor_));
      balance(factors);
      const double now = inlier_sigma(magnitudes_at(core_, factors, informative_));
      if (now < levels::refit_rounding * spread_) break;
      width = std::min(ladder::approach * width, inlier_width * now);
    }
    impose(options_.constraints, factors);
    solution.factors = std::move(factors);
    judge(core_, informative_, solution);
    if (!solution.exact || has_poor_rows(core_, solution)) {
      heal_rows(core_, informative_, solution, rng_, monitor_);
    }
    if (solution.exact) finish(solution);
    solution.starts = 1;
    return solution;
  }

  /// What is known of an exact solution, once it is as good as it gets.
  void finish(CoreSolution& solution) {
    drop_unsupported(core_, solution, monitor_);
    sharpen(core_, options_.constraints, solution, monitor_);
    const bool any_left = !options_.constraints.any() &&
                          search_outliers(core_, options_.ratio_rounding, solution, rng_, monitor_);
    if (any_left) sharpen(core_, options_.constraints, solution, monitor_);
    assess(core_, options_, solution, rng_, monitor_);
  }

  /// Entries fitted to rounding.
  double fitted_by(const CoreSolution& solution) {
    return static_cast<double>(
        fitted_statistics(core_, solution.spread, solution.factors, monitor_).kept);
  }

 private:
  CoreSolution solve_from(const GraduatedOptions& start, int rank) {
    CoreSolution solution;
    solution.spread = spread_;
    solution.factors = graduated_fit(core_, rank, start, rng_, monitor_);
    judge(core_, informative_, solution);
    if (solution.exact && !has_poor_rows(core_, solution)) return solution;
    CoreSolution healed = solution;
    heal_rows(core_, informative_, healed, rng_, monitor_);
    return solution.exact && !healed.exact ? solution : healed;
  }

  const DenseCore& core_;
  const CoreOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  std::vector<Index> informative_;
  double spread_;
  bool found_exact_ = false;
};

int components_at_work(const CoreSolution& solution) {
  return static_cast<int>((solution.factors.front().colwise().squaredNorm().array() > 0).count());
}

/// Whether the fitted entries leave what is more than rounding, and has the signs of a component.
bool hides_a_component(const DenseCore& core, const PassStatistics& fitted, double level,
                       const Factors& factors) {
  namespace limits = levels::rounding;
  return !is_fitted_to_rounding(factors, fitted, limits::no_doubt / levels::verdict::fitted_rms) &&
         structure_of_signs(core, factors, level) > limits::structured;
}

}  // namespace

void assess(const DenseCore& core, const CoreOptions& options, CoreSolution& solution, Rng& rng,
            Monitor& monitor) {
  const double level = rounding_level * solution.spread;
  const PassStatistics fitted = fitted_statistics(core, solution.spread, solution.factors, monitor);
  solution.exact = is_fitted_to_rounding(solution.factors, fitted, rounding_level) &&
                   !hides_a_component(core, fitted, level, solution.factors);
  solution.determinacy =
      determinacy_by_fitted(core, solution.factors, level, options.constraints, rng, monitor);
  if (solution.determined() &&
      smallest_curvature(solution.factors, rng) <= levels::surplus::least_curvature) {
    solution.determinacy = Determinacy::open_factors;
  }
  solution.evidence_needed = evidence_needed(outliers_of(core, solution.factors, level),
                                             levels::surplus::same_value * level);
  // Modes that share a factor make copies themselves.
  if (options.constraints.shares() && solution.evidence_needed <= 2) {
    solution.evidence_needed = 1;
  }
}

CoreSolution solve_core_from(const DenseCore& core, Factors start, const CoreOptions& options,
                             Rng& rng, Monitor& monitor) {
  return CoreSolver(core, options, rng, monitor).solve_near(std::move(start));
}

CoreSolution solve_core(const DenseCore& core, int rank, const CoreOptions& options, Rng& rng,
                        Monitor& monitor) {
  CoreSolver solver(core, options, rng, monitor);
  CoreSolution solution = solver.solve(rank);
  bool reduced = false;
  // Exact, but several components share what fewer could do: the rank is above the true one. Fewer
  // that fit less are not all of L.
  int components = components_at_work(solution);
  const double of_one = unknowns(solution.factors) / std::max(components, 1);
  while (options.reduce && solver.found_exact() && components > 1 &&
         !(solution.exact && solution.determined())) {
    CoreSolution fewer = solver.solve(--components);
    const double dropped = components_at_work(solution) - components;
    const double lost = solver.fitted_by(solution) - solver.fitted_by(fewer);
    if (lost > levels::evidence_per_unknown * of_one * dropped) break;
    if (!fewer.exact) continue;
    solution = std::move(fewer);
    components = components_at_work(solution);
    reduced = true;
  }
  for (Matrix& factor : solution.factors) {
    factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
  }
  if (reduced) solver.finish(solution);  // there is room for others now
  return solution;
}

}  // namespace sunder::robust
