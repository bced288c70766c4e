#include "algorithms/robust_cp/inference/errors/score_slope.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::inference;

struct Told {
  double score = 0;
  double weight = 0;
};

/// The score of a residual R under the variance v, as the likelihood has it.
Told told_by(const NoiseModel& noise, double R, double v) {
  constexpr double wide = levels::noise::wide_deviation * levels::noise::wide_deviation;
  const double height = (1 - noise.outlier_share) / std::sqrt(2 * std::numbers::pi * v);
  const double q = noise.has_wide_inliers ? noise.wide_share : 0;
  const double z2 = R * R / v;
  const double narrow = (1 - q) * height * std::exp(-0.5 * z2);
  const double heavy = q * height / std::sqrt(wide) * std::exp(-0.5 * z2 / wide);
  const int bin = noise.bins().of(R);
  const double error = noise.outlier_share * noise.outlier_density[bin] + tiny;
  const double total = narrow + heavy + error;
  Told told;
  told.weight = (narrow + heavy / wide) / (total * v);
  told.score = told.weight * R - error / total * noise.outlier_slope[bin];
  return told;
}

}  // namespace

double relative_score_slope(const NoisyFit& fit) {
  if (fit.noise.count_unit > 0) return 1;
  NoiseModel noise = fit.counted_under;
  noise.variance = fit.noise.variance;
  const ResidualBins bins = noise.bins();
  double slopes = 0;
  double weights = 0;
  for (int s = 0; s < ResidualCounts::variances; ++s) {
    const double octaves = (s - ResidualCounts::variances / 2) / ResidualCounts::per_octave;
    const double v = std::max(noise.variance * std::exp2(octaves), noise.least_variance + tiny);
    const double step = limits::slope_step * std::sqrt(v);
    for (int b = 0; b < ResidualBins::count; ++b) {
      const double count = fit.residuals.counts[s * ResidualBins::count + b];
      if (count == 0) continue;
      const double R = bins.middle(b);
      slopes += count * (told_by(noise, R + step, v).score - told_by(noise, R - step, v).score) /
                (2 * step);
      weights += count * told_by(noise, R, v).weight;
    }
  }
  if (!(weights > 0)) return 1;
  return std::clamp(slopes / weights, limits::least_slope, limits::most_slope);
}

}  // namespace sunder::robust
