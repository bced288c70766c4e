#include "algorithms/robust_cp/inference/sparse_rule.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

std::optional<ErrorRates> rates_of(const NoisyFit& fit, double level) {
  // Noise that was not seen has no distribution, and counts have another one for every mean.
  if (fit.noise.is_below_resolution() || fit.noise.count_unit > 0) return std::nullopt;
  NoiseModel noise = fit.counted_under;
  noise.variance = fit.noise.variance;  // estimated after the pass
  const StandardResiduals residuals = standard_residuals(fit.residuals, noise);
  const std::optional<NullDistribution> null = fit_null(residuals);
  if (!null) return std::nullopt;
  return ErrorRates(residuals, *null, level);
}

}  // namespace

SparseRule::SparseRule(const NoisyFit& fit, const SparseRuleOptions& options)
    : options_(options), rates_(rates_of(fit, options.fdr)) {
  // The mean of P(inlier) over S is no more than the level. Where no noise was seen, everything
  // beyond rounding is an error.
  most_inlier_ = fit.noise.count_unit > 0 ? std::min(options.fdr, limits::most_local_rate)
                                          : limits::most_local_rate;
}

bool SparseRule::is_error(double residual, double variance, double inlier) const {
  if (std::abs(residual) < options_.least) return false;
  const double square = residual * residual;
  if (options_.width > 0) return square >= options_.width * options_.width * variance;
  if (!rates_) return inlier < most_inlier_;
  const double limit = residual < 0 ? rates_->left_limit() : rates_->right_limit();
  return square >= limit * limit * variance;
}

double SparseRule::q(double residual, double variance, double inlier) const {
  return rates_ ? rates_->q(residual / std::sqrt(variance)) : inlier;
}

FalseDiscoveries SparseRule::summary() const {
  FalseDiscoveries summary;
  if (!rates_ || options_.width > 0) return summary;
  summary.known = true;
  summary.level = options_.fdr;
  summary.expected = rates_->expected();
  summary.null_scale = rates_->null().scale;
  summary.null_degrees = rates_->null().degrees;
  summary.null_share = rates_->null().share;
  return summary;
}

}  // namespace sunder::robust
