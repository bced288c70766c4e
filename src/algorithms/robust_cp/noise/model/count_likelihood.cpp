#include "algorithms/robust_cp/noise/model/count_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/noise/weighted_step.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// Where L is smaller than this, the mean of the counts is not L.
double bend_of(double mean, double unit) { return limits::count_bend * std::min(mean, unit); }

/// The mean of the counts: L, bent smoothly to stay positive, and its derivative.
struct Rate {
  Rate(double L, double bend) {
    const double half = 0.5 * std::sqrt(L * L + bend * bend);
    mean = 0.5 * L + half;
    slope = 0.5 + 0.25 * L / half;
  }
  double mean;
  double slope;
};

/// What one entry tells.
struct Told {
  double nats = 0;
  double inlier = 0;
  double score = 0;
  double curvature = 0;
  double mean = 0;
};

Told told_by(double entry, double L, const NoiseModel& noise) {
  const double unit = noise.count_unit;
  const Rate rate(L, bend_of(noise.signal_size, unit));
  const double count = std::round(entry / unit);
  const double mean = rate.mean / unit;
  const double log_mass = count * std::log(mean) - mean - std::lgamma(count + 1);
  const double regular = (1 - noise.outlier_share) * std::exp(log_mass) / unit;
  const double total = regular + noise.outlier_share / (2 * noise.range);
  Told told;
  told.nats = -std::log(total);
  told.inlier = regular / total;
  told.score = told.inlier * (count / mean - 1) * rate.slope / unit;
  told.curvature = told.inlier * rate.slope * rate.slope / (rate.mean * unit);
  told.mean = rate.mean;
  return told;
}

void add_to_slices(const Told& told, Index position, const Shape& shape, double squares,
                   std::vector<SliceSums>& slices) {
  for (int m = shape.order() - 1; m >= 0; --m) {
    const Index i = position % shape[m];
    position /= shape[m];
    slices[m].score[i] += told.score * told.score;
    slices[m].weight[i] += told.curvature;
    slices[m].inliers[i] += told.inlier;
    slices[m].squares[i] += squares;
    slices[m].observed[i] += 1;
  }
}

}  // namespace

double unit_of_counts(const DenseCore& core) {
  double unit = 0;
  for (Index i = 0; i < core.values.size(); ++i) {
    const double x = core.values[i];
    if (!core.is_observed(i)) continue;
    if (!(x >= 0)) return 0;
    if (x > 0 && (unit == 0 || x < unit)) unit = x;
  }
  if (unit == 0) return 0;
  std::vector<double> counts;
  for (const Index i : thinned(informative(core))) counts.push_back(core.values[i] / unit);
  if (counts.empty() || quantile(counts, limits::large_entry) > limits::large_count) return 0;
  for (Index i = 0; i < core.values.size(); ++i) {
    const double count = core.values[i] / unit;
    if (std::abs(count - std::round(count)) > limits::whole_count * (1 + count)) return 0;
  }
  return unit;
}

NoiseModel noise_of_counts(const DenseCore& core, const Factors& factors, double unit) {
  const Entries L = evaluate(factors);
  const double mean = std::max(L.max(0).mean(), unit * tiny);
  NoiseModel noise = first_noise(core, factors, true);
  noise.count_unit = unit;
  noise.signal_size = mean;
  noise.range = std::max(core.values.maxCoeff(), limits::least_range * unit);
  noise.learns_density = false;
  noise.outlier_density.fill(1 / (2 * noise.range));
  noise.outlier_slope.fill(0);
  noise.depends_on_signal = true;
  // As a normal density that others may look at: v = unit L, and what the bend leaves where L is 0.
  noise.variance = 0.5 * bend_of(mean, unit) * unit;
  noise.growth = {mean * unit / noise.variance, 0};
  noise.least_variance = std::min(noise.least_variance, noise.variance);
  noise.unit = noise.sigma();
  return noise;
}

LikelihoodSums count_likelihood_sums(const DenseCore& block, const Factors& factors,
                                     const NoiseModel& noise, EntryWeights* weights) {
  const Entries L = evaluate(factors);
  LikelihoodSums sums(block.shape, factors.front().cols());
  Entries score = Entries::Zero(L.size());
  if (weights != nullptr) {
    weights->curvature = Entries::Zero(L.size());
    weights->inlier = Entries::Zero(L.size());
    weights->variance = Entries::Constant(L.size(), noise.variance);
  }
  for (Index i = 0; i < L.size(); ++i) {
    if (!block.is_observed(i)) continue;
    const Told told = told_by(block.values[i], L[i], noise);
    const double residual = block.values[i] - told.mean;
    const double variance = told.mean * noise.count_unit;
    score[i] = told.score;
    sums.nats += told.nats;
    sums.observed += 1;
    add_to_slices(told, i, block.shape, told.inlier * residual * residual / variance, sums.slices);
    if (weights == nullptr) continue;
    weights->curvature[i] = told.curvature;
    weights->inlier[i] = told.inlier;
    weights->variance[i] = variance;
  }
  sums.gradient = products(block, score, factors);
  return sums;
}

}  // namespace sunder::robust
