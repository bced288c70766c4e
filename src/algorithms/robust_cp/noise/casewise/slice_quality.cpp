#include "algorithms/robust_cp/noise/casewise/slice_quality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "algorithms/robust_cp/levels/casewise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::casewise;

constexpr double normal_mad = 1.4826;  ///< standard deviations in a median absolute deviation

/// The nats that an outlier costs more than an inlier, on average.
double price_of_outlier(const NoiseModel& noise) {
  const ResidualBins bins = noise.bins();
  double outlier = 0;
  double mass = 0;
  for (int b = 0; b + 1 < ResidualBins::count; ++b) {
    if (std::abs(bins.middle(b)) > noise.range) continue;
    const double share = noise.outlier_density[b] * bins.width(b);
    outlier -= share * std::log(noise.outlier_share * noise.outlier_density[b] + tiny);
    mass += share;
  }
  const double inlier =
      0.5 * std::log(2 * std::numbers::pi * std::numbers::e * (noise.variance + tiny)) -
      std::log(1 - noise.outlier_share);
  return mass > 0 ? std::max(outlier / mass - inlier, 0.0) : 0;
}

double median_of(std::vector<double> values) { return quantile(values, 0.5); }

/// The value of every slice that was observed.
template <class Of>
std::vector<double> of_seen(const SliceSums& sums, Of&& of) {
  std::vector<double> values;
  for (Index i = 0; i < sums.observed.size(); ++i) {
    if (sums.observed[i] > 0) values.push_back(of(i));
  }
  return values;
}

SliceQuality quality_of_mode(const SliceSums& sums, const Vector& scales, double price) {
  const Eigen::ArrayXd share = sums.inliers.array() / sums.observed.array().max(1);
  const Eigen::ArrayXd variance = scales.array() * (sums.squares.array() + limits::prior) /
                                  (sums.inliers.array() + limits::prior);
  const double usual_share = median_of(of_seen(sums, [&](Index i) { return share[i]; }));
  const double usual_variance = median_of(of_seen(sums, [&](Index i) { return variance[i]; }));
  SliceQuality quality;
  for (Index i = 0; i < share.size(); ++i) {
    const bool seen = sums.observed[i] > 0;
    const double inliers = seen ? share[i] : usual_share;
    const double deviation =
        seen ? std::sqrt(std::max(variance[i], tiny) / std::max(usual_variance, tiny)) : 1;
    quality.inlier_share.push_back(inliers);
    quality.deviation.push_back(deviation);
    quality.excess.push_back(std::log(deviation) + price * (usual_share - inliers));
  }
  return quality;
}

/// Which slices of a mode are far from the others.
class BadSlices {
 public:
  BadSlices(const SliceQuality& quality, const SliceSums& sums) : quality_(quality), sums_(sums) {
    usual_share_ = median_of(of_seen(sums, [&](Index i) { return quality.inlier_share[i]; }));
    std::vector<double> off =
        of_seen(sums, [&](Index i) { return std::abs(std::log(quality.deviation[i])); });
    std::vector<double> off_share =
        of_seen(sums, [&](Index i) { return std::abs(quality.inlier_share[i] - usual_share_); });
    share_spread_ = normal_mad * median_of(std::move(off_share));
    // In log variances, which are twice the log deviations. Their median is zero.
    spread_ = std::max(2 * normal_mad * median_of(std::move(off)), limits::least_spread);
  }

  bool few_inliers(Index i) const {
    const double share = quality_.inlier_share[i];
    return share < limits::few_inliers * usual_share_ &&
           usual_share_ - share > limits::clear * chance_of_share(i);
  }

  bool more_noise(Index i) const { return excess_of_noise(i) > limits::clear; }

  /// The probability that a good slice looks as bad, if slices differ as normal variables do.
  double chance(Index i) const {
    const double few = usual_share_ - quality_.inlier_share[i];
    const double of_shares = std::max(share_spread_, chance_of_share(i));
    const double z = std::max(few / std::max(of_shares, tiny), excess_of_noise(i));
    return std::min(std::erfc(z / std::numbers::sqrt2), 1.0);  // one tail of each of two figures
  }

 private:
  double chance_of_share(Index i) const {
    return std::sqrt(usual_share_ * (1 - usual_share_) / sums_.observed[i]);
  }
  /// In standard deviations of the slices, or of chance.
  double excess_of_noise(Index i) const {
    const double by_chance = std::sqrt(2 / (sums_.inliers[i] + limits::prior));
    return 2 * std::log(quality_.deviation[i]) / std::max(spread_, by_chance);
  }

  const SliceQuality& quality_;
  const SliceSums& sums_;
  double usual_share_ = 1;
  double share_spread_ = 0;
  double spread_ = 0;
};

/// The false discovery rate of Benjamini and Hochberg 1995 at which each slice would be called bad.
std::vector<double> q_of(const BadSlices& bad, const SliceSums& sums) {
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < sums.observed.size(); ++i) {
    if (sums.observed[i] > 0) order.emplace_back(bad.chance(i), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<double> q(sums.observed.size(), 1);
  double least = 1;
  for (auto k = std::ssize(order) - 1; k >= 0; --k) {
    const auto& [chance, slice] = order[k];
    const auto slices = static_cast<double>(order.size());
    least = std::min(least, chance * slices / static_cast<double>(k + 1));
    q[slice] = least;
  }
  return q;
}

}  // namespace

std::vector<SliceQuality> slice_quality(const std::vector<SliceSums>& sums,
                                        const NoiseModel& noise) {
  const double price = price_of_outlier(noise);
  std::vector<SliceQuality> quality;
  for (std::size_t m = 0; m < sums.size(); ++m) {
    quality.push_back(quality_of_mode(sums[m], noise.scales[m], price));
  }
  return quality;
}

std::vector<FlaggedSlice> flagged_slices(const std::vector<SliceQuality>& quality,
                                         const std::vector<SliceSums>& sums) {
  std::vector<FlaggedSlice> flagged;
  for (std::size_t m = 0; m < quality.size(); ++m) {
    const Index seen = (sums[m].observed.array() > 0).count();
    if (seen < limits::fewest_slices) continue;
    const SliceQuality& q = quality[m];
    const BadSlices bad(q, sums[m]);
    const std::vector<double> rates = q_of(bad, sums[m]);
    const auto first = std::ssize(flagged);
    for (Index i = 0; i < sums[m].observed.size(); ++i) {
      if (!(sums[m].observed[i] > 0)) continue;
      const bool few = bad.few_inliers(i);
      if (!few && !bad.more_noise(i)) continue;
      flagged.push_back({static_cast<int>(m), i, few ? "few inliers" : "far more noise",
                         q.inlier_share[i], q.deviation[i], q.excess[i], rates[i]});
    }
    std::stable_sort(flagged.begin() + first, flagged.end(),
                     [](const auto& a, const auto& b) { return a.excess > b.excess; });
  }
  return flagged;
}

}  // namespace sunder::robust
