#include "algorithms/robust_cp/core/exact/core_verdict.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace verdict = levels::verdict;

void judge_noise(const DenseCore& core, const std::vector<Index>& informative,
                 CoreSolution& solution) {
  const std::vector<double> magnitudes = magnitudes_at(core, solution.factors, informative);
  solution.sigma = inlier_sigma(magnitudes);
  solution.noise_like = is_noise_like(magnitudes, solution.sigma, solution.spread);
}

/// Only entries count where the model is at work: a zero is fitted by any model that is zero.
void judge_exactness(const DenseCore& core, CoreSolution& solution) {
  const Entries L = evaluate(solution.factors);
  const double at_work = verdict::entry_at_work * std::sqrt(L.square().mean());
  double seen = 0;
  double fitted = 0;
  double between = 0;
  for (Index i = 0; i < L.size(); ++i) {
    if (!core.is_observed(i) || !(std::abs(L[i]) > at_work)) continue;
    const double r = std::abs(core.values[i] - L[i]) / solution.spread;
    seen += 1;
    if (r < rounding_level) {
      fitted += 1;
    } else if (r < outlier_level) {
      between += 1;
    }
  }
  solution.exact_share = seen > 0 ? fitted / seen : 0;
  solution.exact = solution.exact_share > verdict::least_fitted_share &&
                   fitted > levels::evidence_per_unknown * unknowns(solution.factors) &&
                   between < verdict::most_between * seen;
}

}  // namespace

double unknowns(const Factors& factors) {
  double rows = 0;
  for (const Matrix& factor : factors) {
    const double least = verdict::row_at_work * factor.norm();
    rows += static_cast<double>((factor.rowwise().norm().array() > least).count());
  }
  return rows * static_cast<double>(factors.front().cols());
}

bool is_noise_like(const std::vector<double>& magnitudes, double sigma, double spread) {
  if (!(sigma > verdict::least_noise * spread && sigma < verdict::most_noise * spread)) {
    return false;
  }
  const auto within = [&](double x) {
    return static_cast<double>(std::count_if(magnitudes.begin(), magnitudes.end(),
                                             [&](double r) { return r < x * sigma; }));
  };
  const double inliers = within(inlier_width);
  const auto is_normal = [&](double x, double share) {
    return std::abs(within(x) / inliers - share) < verdict::share_tolerance;
  };
  return inliers > verdict::least_inlier_share * static_cast<double>(magnitudes.size()) &&
         is_normal(0.5, verdict::normal_within_half) && is_normal(1, verdict::normal_within_one);
}

bool is_fitted_to_rounding(const Factors& factors, const PassStatistics& fitted, double level) {
  double entries = 1;
  for (const Matrix& factor : factors) entries *= static_cast<double>(factor.rows());
  const double size = norm(factors) / std::sqrt(entries);
  if (!(size > 0)) return true;  // nothing to be uncertain about
  const auto count = static_cast<double>(std::max<Index>(fitted.kept, 1));
  return std::sqrt(fitted.kept_square_sum / count) <= verdict::fitted_rms * level * size;
}

void judge(const DenseCore& core, const std::vector<Index>& informative, CoreSolution& solution) {
  judge_noise(core, informative, solution);
  judge_exactness(core, solution);
}

}  // namespace sunder::robust
