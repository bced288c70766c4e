#pragma once
/// The density of residuals R = T - L under noise and gross errors:
///
///     (1 - p) [ (1 - q) N(0, v) + q N(0, 9 v) ] + p f(R),
///     v = s^2 a_i b_j c_k (1 + g1 x + g2 x^2),   x = |L| / rms(L)
///
/// Every slice has its own scale. The density f of gross errors is a histogram that is learned from
/// the residuals themselves.

#include <array>
#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/noise/model/residual_bins.hpp"
#include "sunder/algorithms/noise_estimate.hpp"

namespace sunder::robust {

struct NoiseModel {
  using Density = std::array<double, ResidualBins::count>;

  double variance = 1;             ///< s^2
  std::vector<Vector> scales;      ///< a, b, c: one for each slice, of geometric mean 1
  std::array<double, 2> growth{};  ///< g1, g2: how the variance grows with |L|
  bool depends_on_signal = false;  ///< whether g is estimated
  NoiseFamily family = NoiseFamily::automatic;  ///< poisson: g2 = 0; proportional: g1 = 0
  double signal_size = 1;                       ///< rms(L), the unit of x
  double outlier_share = 0;                     ///< p
  bool has_wide_inliers = false;
  double wide_share = 0;       ///< q
  double range = 1;            ///< gross errors lie within +- this
  double least_variance = 0;   ///< v is no smaller
  double unit = 1;             ///< of the bins of residuals
  bool learns_density = true;  ///< false: f stays even over its range
  Density outlier_density{};   ///< f
  Density outlier_slope{};     ///< f'/f where it is steep, else 0
  /// Not 0: entries are counts of this unit, and inliers have a Poisson distribution of mean L.
  double count_unit = 0;

  ResidualBins bins() const { return ResidualBins(unit); }
  double sigma() const;              ///< of an average slice
  bool is_below_resolution() const;  ///< the noise is too small to be seen
  /// Makes the bins as fine as the noise, where that has become another.
  void fit_bins();
  /// The same noise for some of the rows of each mode.
  NoiseModel at(const std::vector<std::vector<Index>>& sets) const;
  /// The same noise for a tensor of which these rows were seen; the others are average.
  NoiseModel spread_to(const Shape& shape, const std::vector<std::vector<Index>>& sets) const;
};

/// Smaller deviations count as none. Without such a floor, data without noise would reward models
/// that fit trivial entries exactly and give the others up. `signal`: rms(L); where errors are
/// large, the entries are a bad measure of it.
double resolution(const DenseCore& core, double signal);

/// A first guess for the residuals of a model: normal noise, and errors of a tenth of the entries
/// evenly over the range. `from_above` takes the scale from the median of |R| instead of its lower
/// quartile, for a fit that has given in to the errors.
NoiseModel first_noise(const DenseCore& core, const Factors& factors, bool from_above);

template <class Archive>
void describe(Archive& archive, NoiseModel& noise) {
  archive(noise.variance);
  archive(noise.scales);
  for (double& g : noise.growth) archive(g);
  archive(noise.depends_on_signal);
  archive(noise.family);
  archive(noise.signal_size);
  archive(noise.outlier_share);
  archive(noise.has_wide_inliers);
  archive(noise.wide_share);
  archive(noise.range);
  archive(noise.least_variance);
  archive(noise.unit);
  archive(noise.learns_density);
  archive(noise.count_unit);
  for (double& f : noise.outlier_density) archive(f);
  for (double& f : noise.outlier_slope) archive(f);
}

}  // namespace sunder::robust
