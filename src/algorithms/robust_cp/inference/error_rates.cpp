#include "algorithms/robust_cp/inference/error_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

constexpr int bins = StandardResiduals::bins;

/// A normal kernel of this width in z, out to three of them.
std::vector<double> kernel_of(double width) {
  const int reach = static_cast<int>(std::lround(3 * width / limits::z_step));
  std::vector<double> kernel(2 * reach + 1);
  for (int k = -reach; k <= reach; ++k) {
    const double x = k * limits::z_step / width;
    kernel[k + reach] = std::exp(-0.5 * x * x);
  }
  const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.0);
  for (double& x : kernel) x /= sum;
  return kernel;
}

std::vector<double> smoothed(const std::vector<double>& values, const std::vector<double>& kernel) {
  const int reach = static_cast<int>(kernel.size()) / 2;
  std::vector<double> smooth(values.size());
  for (int b = 0; b < bins; ++b) {
    for (int k = std::max(-reach, -b); k <= std::min(reach, bins - 1 - b); ++k) {
      smooth[b] += kernel[k + reach] * values[b + k];
    }
  }
  return smooth;
}

std::vector<double> squares_of(std::vector<double> kernel) {
  for (double& x : kernel) x *= x;
  return kernel;
}

/// What is there beyond noise and chance.
std::vector<double> excess(const std::vector<double>& counts, const std::vector<double>& noise,
                           double width) {
  const std::vector<double> kernel = kernel_of(width);
  std::vector<double> difference(bins);
  for (int b = 0; b < bins; ++b) difference[b] = counts[b] - noise[b];
  std::vector<double> mean = smoothed(difference, kernel);
  const std::vector<double> variance = smoothed(noise, squares_of(kernel));
  for (int b = 0; b < bins; ++b) {
    mean[b] = std::max(mean[b] - limits::chance * std::sqrt(variance[b]), 0.0);
  }
  return mean;
}

}  // namespace

ErrorRates::ErrorRates(const StandardResiduals& residuals, const NullDistribution& null,
                       double level)
    : null_(null) {
  expect_noise(residuals.total);
  find_local_rates(residuals);
  accumulate(residuals, level);
}

void ErrorRates::expect_noise(double total) {
  noise_.resize(bins);
  for (int b = 0; b < bins; ++b) {
    noise_[b] = total * null_.share * limits::z_step * null_.density(StandardResiduals::middle(b));
  }
  const double beyond = total * null_.share * null_.tail(limits::z_reach);
  noise_.front() += beyond;
  noise_.back() += beyond;
}

void ErrorRates::find_local_rates(const StandardResiduals& residuals) {
  const std::vector<double> near = excess(residuals.counts, noise_, limits::smoothing);
  const std::vector<double> far = excess(residuals.counts, noise_, limits::wide_smoothing);
  // An entry that nobody has seen yet may be an error: without it, rates would be 0 / 0.
  constexpr double unseen = 1e-9;
  local_.resize(bins);
  for (int b = 0; b < bins; ++b) {
    const bool is_rare = std::abs(StandardResiduals::middle(b)) > limits::rare_beyond;
    const double errors = (is_rare ? std::max(near[b], far[b]) : near[b]) + unseen;
    local_[b] = std::log((noise_[b] + tiny) / (noise_[b] + tiny + errors));
  }
  // Farther out an entry is no more likely noise.
  constexpr int zero = StandardResiduals::per_side;
  for (int b = zero + 1; b < bins; ++b) local_[b] = std::min(local_[b], local_[b - 1]);
  for (int b = zero - 2; b >= 0; --b) local_[b] = std::min(local_[b], local_[b + 1]);
}

std::vector<double> ErrorRates::rates(const std::vector<int>& order,
                                      const std::vector<double>& counts) const {
  std::vector<double> rates;
  double entries = 0;
  double likely_noise = 0;
  double expected_noise = 0;
  for (const int b : order) {
    entries += counts[b];
    likely_noise += counts[b] * std::exp(local_[b]);
    expected_noise += noise_[b];
    // The first is finer. The second holds where there is no error at all (Benjamini and Hochberg
    // 1995), and the local rates have followed an accident.
    rates.push_back(entries > 0 ? std::max(likely_noise, expected_noise) / entries : 1);
  }
  return rates;
}

void ErrorRates::accumulate(const StandardResiduals& residuals, double level) {
  std::vector<int> order(bins);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return local_[a] < local_[b]; });
  const std::vector<double> rate = rates(order, residuals.counts);
  q_.resize(bins);
  double least = 1;
  double cut = 0;
  for (int k = bins - 1; k >= 0; --k) {
    const double local = std::exp(local_[order[k]]);
    least = std::min(least, rate[k] / limits::margin);
    q_[order[k]] = std::log(least + tiny);
    if (cut > 0 || local > limits::most_local_rate || least > level) continue;
    cut = local;
    expected_ = rate[k];
  }
  constexpr int zero = StandardResiduals::per_side;
  if (!(cut > 0)) return;
  left_limit_ = limit(zero - 1, -1, cut);
  right_limit_ = limit(zero, 1, cut);
}

/// The inner edge of the first bin outwards whose rate is no more than the cut.
double ErrorRates::limit(int first, int step, double cut) const {
  for (int b = first; b >= 0 && b < bins; b += step) {
    if (std::exp(local_[b]) <= cut * (1 + 1e-9)) {
      return std::abs(StandardResiduals::middle(b)) - limits::z_step / 2;
    }
  }
  return std::numeric_limits<double>::infinity();
}

double ErrorRates::at(const std::vector<double>& table, double z) const {
  const double last = StandardResiduals::middle(bins - 1);
  if (std::abs(z) > last) {  // the density of errors is taken as even beyond
    const double end = z < 0 ? table.front() : table.back();
    return std::exp(end) * null_.density(z) / (null_.density(last) + tiny);
  }
  const double place = (z + last) / limits::z_step;
  const int low = std::clamp(static_cast<int>(place), 0, bins - 2);
  const double part = place - low;
  return std::exp((1 - part) * table[low] + part * table[low + 1]);
}

}  // namespace sunder::robust
