#include "algorithms/robust_cp/noise/casewise/noise_result.hpp"

#include <cmath>

#include "algorithms/robust_cp/noise/casewise/slice_quality.hpp"
#include "algorithms/robust_cp/noise/casewise/slice_reason.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

std::string family_in_words(const NoiseModel& noise) {
  const bool grows = noise.depends_on_signal && (noise.growth[0] > 0 || noise.growth[1] > 0);
  // At |L| = rms(L), which of the two terms is larger.
  std::string family = !grows                               ? ""
                       : noise.growth[0] >= noise.growth[1] ? "poisson"
                                                            : "proportional";
  if (noise.has_wide_inliers && noise.wide_share > 0) family += family.empty() ? "t" : ", t";
  return family.empty() ? "gaussian" : family;
}

}  // namespace

NoiseEstimate noise_estimate(const NoisyFit& fit, double scale) {
  const NoiseModel& noise = fit.noise;
  NoiseEstimate estimate;
  estimate.known = true;
  estimate.family = family_in_words(noise);
  estimate.sigma = std::sqrt(noise.variance) * scale;  // of the median slice, below
  estimate.outlier_share = noise.outlier_share;
  estimate.wide_share = noise.has_wide_inliers ? noise.wide_share : 0;
  double entries = 1;
  for (const Matrix& factor : fit.factors) entries *= static_cast<double>(factor.rows());
  const double rms = norm(fit.factors) / std::sqrt(entries);
  if (noise.depends_on_signal) {
    // The unit of x was the rms of L on a part of T.
    const double units = rms / noise.signal_size;
    estimate.linear_growth = noise.growth[0] * units;
    estimate.square_growth = noise.growth[1] * units * units;
  }
  estimate.signal_size = rms * scale;
  estimate.nats = fit.nats + std::log(scale);
  for (const Vector& scales : noise.scales) {
    // A few bad samples move the mean of the scales, but not their median.
    const double middle = median({scales.begin(), scales.end()});
    estimate.sigma *= std::sqrt(middle);
    const Vector deviations = (scales / middle).cwiseSqrt();
    estimate.slice_deviations.emplace_back(deviations.begin(), deviations.end());
  }
  const ResidualBins bins = noise.bins();
  for (int b = 0; b + 1 < ResidualBins::count; ++b) {
    if (std::abs(bins.middle(b)) > noise.range) continue;
    if (estimate.edges.empty()) estimate.edges.push_back(bins.edge(b) * scale);
    estimate.edges.push_back(bins.edge(b + 1) * scale);
    estimate.outlier_density.push_back(noise.outlier_density[b] / scale);
  }
  return estimate;
}

void store_noise(RunContext& context, const NoisyFit& fit, const std::vector<SliceSums>& slices,
                 Decomposition& result) {
  result.noise = noise_estimate(fit, context.state.scale);
  result.slice_quality = slice_quality(slices, fit.noise);
  if (context.options.casewise == Casewise::off) return;
  result.flagged_slices = flagged_slices(result.slice_quality, slices);
  find_reasons(context, fit.factors, result.flagged_slices);
}

}  // namespace sunder::robust
