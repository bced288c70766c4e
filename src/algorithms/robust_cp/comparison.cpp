#include "algorithms/robust_cp/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"
#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

ResidualSample residuals_of(RunContext& context, const Factors& factors) {
  return sample_residuals(context.engine, factors, context.run.seed);
}

bool agree(const Candidate& a, const Candidate& b) {
  return distance(a.factors, b.factors) < levels::scheme::same_model * norm(b.factors);
}

double description_length(const std::vector<double>& magnitudes, double range) {
  namespace limits = levels::description;
  if (magnitudes.empty() || !(range > 0)) return 0;
  const double outlier = std::log(2 * range);
  const double constant = 0.5 * std::log(2 * std::numbers::pi);
  double best = std::numeric_limits<double>::infinity();
  double sigma = range;
  for (int k = 0; k < limits::sigmas; ++k, sigma /= limits::sigma_step) {
    double sum = 0;
    for (const double r : magnitudes) {
      const double u = r / sigma;
      sum += std::min(0.5 * u * u + std::log(sigma) + constant, outlier);
    }
    best = std::min(best, sum / static_cast<double>(magnitudes.size()));
  }
  return best;
}

double description_gain(RunContext& context, const Candidate& first, const Candidate& second) {
  const auto length = [&](const Candidate& candidate) {
    const ResidualSample left = residuals_of(context, candidate.factors);
    return description_length(left.magnitudes, left.largest);
  };
  return length(second) - length(first);
}

bool fits_clearly_more(RunContext& context, const Factors& first, const Factors& second,
                       double level) {
  if (context.chooses_rank && components_of(first) > components_of(second)) return false;
  const auto fitted_by = [&](const Factors& factors) {
    const std::vector<double> left = residuals_of(context, factors).magnitudes;
    return static_cast<double>(std::ranges::count_if(left, [&](double r) { return r < level; }));
  };
  const double gain = fitted_by(first) - fitted_by(second);
  return gain > levels::rivals::chance * std::sqrt(std::max(gain, 0.0));
}

}  // namespace sunder::robust
