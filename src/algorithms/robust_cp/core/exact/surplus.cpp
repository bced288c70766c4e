#include "algorithms/robust_cp/core/exact/surplus.hpp"

#include <utility>

#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

/// Entries of a component that are not zero, over all modes.
double unknowns_of(const Factors& factors, Index component) {
  double own = 0;
  for (const Matrix& factor : factors) {
    const double least = levels::zero_entry * factor.col(component).cwiseAbs().maxCoeff();
    own += static_cast<double>((factor.col(component).array().abs() > least).count());
  }
  return own;
}

Factors without(Factors factors, Index component) {
  for (Matrix& factor : factors) factor.col(component).setZero();
  return factors;
}

}  // namespace

PassStatistics fitted_statistics(const DenseCore& core, double spread, const Factors& factors,
                                 Monitor& monitor) {
  return fused_pass(core, factors, Rule::hard_threshold(rounding_level * spread), monitor,
                    Products::none)
      .statistics;
}

void drop_unsupported(const DenseCore& core, CoreSolution& solution, Monitor& monitor) {
  const auto fitted_by = [&](const Factors& factors) {
    return fitted_statistics(core, solution.spread, factors, monitor).kept;
  };
  Index fitted = fitted_by(solution.factors);
  for (Index i = 0; i < solution.factors.front().cols(); ++i) {
    Factors fewer = without(solution.factors, i);
    const double own = unknowns_of(solution.factors, i);
    const Index left = fitted_by(fewer);
    const auto gain = static_cast<double>(fitted - left);
    if (gain > levels::evidence_per_unknown * own) continue;
    if (gain > levels::surplus::hint_per_unknown * own) solution.whole = false;
    solution.factors = std::move(fewer);
    fitted = left;
  }
}

bool search_outliers(const DenseCore& core, double ratio_rounding, CoreSolution& solution, Rng& rng,
                     Monitor& monitor) {
  bool any = false;
  for (Index i = 0; i < solution.factors.front().cols(); ++i) {
    const auto is_free = [&] { return solution.factors.front().col(i).squaredNorm() == 0; };
    if (!is_free()) continue;
    const double level = rounding_level * solution.spread;
    const DenseCore rest = outliers_of(core, solution.factors, level);
    const Factors found = component_of_outliers(rest, level, rng, monitor);
    for (std::size_t m = 0; m < found.size(); ++m) solution.factors[m].col(i) = found[m];
    drop_unsupported(core, solution, monitor);
    if (is_free()) {
      if (has_proportional_rows(rest, ratio_rounding)) solution.whole = false;
      break;
    }
    any = true;
  }
  return any;
}

}  // namespace sunder::robust
