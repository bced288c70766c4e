#include "algorithms/robust_cp/noise/model/noise_model.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::noise;

double NoiseModel::sigma() const { return std::sqrt(variance); }

bool NoiseModel::is_below_resolution() const {
  return variance <= limits::near_resolution * least_variance;
}

void NoiseModel::fit_bins() {
  if (sigma() > unit / 2 && sigma() < 2 * unit) return;
  const NoiseModel before = *this;
  unit = sigma();
  for (int b = 0; b < ResidualBins::count; ++b) {
    const int old = before.bins().of(bins().middle(b));
    outlier_density[b] = before.outlier_density[old];
    outlier_slope[b] = before.outlier_slope[old];
  }
}

NoiseModel NoiseModel::at(const std::vector<std::vector<Index>>& sets) const {
  NoiseModel part = *this;
  for (std::size_t m = 0; m < sets.size(); ++m) part.scales[m] = scales[m](sets[m]);
  return part;
}

NoiseModel NoiseModel::spread_to(const Shape& shape,
                                 const std::vector<std::vector<Index>>& sets) const {
  NoiseModel all = *this;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    all.scales[m] = Vector::Ones(shape[static_cast<int>(m)]);
    all.scales[m](sets[m]) = scales[m];
  }
  return all;
}

double resolution(const DenseCore& core, double signal) {
  std::vector<double> values;
  for (const Index i : thinned(informative(core))) values.push_back(core.values[i]);
  const double middle = median(values);
  for (double& x : values) x = std::abs(x - middle);
  return limits::resolution * std::min(quantile(values, limits::large_entry), 2 * signal);
}

NoiseModel first_noise(const DenseCore& core, const Factors& factors, bool from_above) {
  const Entries model = evaluate(factors);
  std::vector<double> magnitudes;
  double largest = 0;
  for (Index i = 0; i < model.size(); ++i) {
    if (!core.is_observed(i)) continue;
    magnitudes.push_back(std::abs(core.values[i] - model[i]));
    largest = std::max(largest, magnitudes.back());
  }
  const double sigma = from_above ? deviation_over_mad * quantile(magnitudes, 0.5)
                                  : quantile(magnitudes, low_quantile) / quartile_of_normal;
  // Residuals of zero have no scale: a millionth of their range stands in for it.
  const double signal = std::sqrt(model.square().mean()) + tiny;
  const double finest = resolution(core, signal);
  const double usable = std::max({sigma, finest, 1e-6 * largest, tiny});
  NoiseModel noise;
  noise.variance = usable * usable;
  for (const Index extent : core.shape) noise.scales.push_back(Vector::Ones(extent));
  noise.signal_size = signal;
  noise.outlier_share = limits::first_outlier_share;
  noise.range = std::max(largest, limits::least_range * usable);
  noise.least_variance = std::max(finest * finest, limits::least_variance * noise.variance);
  noise.unit = usable;
  noise.outlier_density.fill(1 / (2 * noise.range));
  return noise;
}

}  // namespace sunder::robust
