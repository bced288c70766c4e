#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

/// The lower quartile of |residual| in standard deviations of the inliers, where the outliers are
/// two fifths: P(|normal| < 0.55) is 0.25 / 0.6. The rounds of truncation correct it.
constexpr double quartile_beside_outliers = 0.55;
/// Undoes what truncation at 3 sigma takes off a normal deviation (1.014), with a little more, so
/// that rounds of it do not shrink.
constexpr double truncation_correction = 1.02;
/// Chosen by hand; not studied.
constexpr int truncation_rounds = 10;

}  // namespace

double order_statistic(std::span<double> values, std::size_t k) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(k);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double quantile(std::span<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size()));
  return order_statistic(values, std::min(at, values.size() - 1));
}

double median(std::vector<double> values) { return quantile(values, 0.5); }

double midpoint_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  const double upper = order_statistic(values, middle);
  if (values.size() % 2 == 1) return upper;
  return (order_statistic(std::span(values).first(middle), middle - 1) + upper) / 2;
}

double median_absolute_deviation(std::vector<double> values, double centre) {
  for (double& x : values) x = std::abs(x - centre);
  return quantile(values, 0.5);
}

double robust_scale(std::vector<double> values, double centre) {
  return deviation_over_mad * median_absolute_deviation(std::move(values), centre);
}

double root_mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

double inlier_sigma(std::vector<double> magnitudes) {
  double sigma = quantile(magnitudes, low_quantile) / quartile_beside_outliers + tiny;
  for (int round = 0; round < truncation_rounds; ++round) {
    double sum = 0;
    std::size_t count = 0;
    for (const double x : magnitudes) {
      if (x >= inlier_width * sigma) continue;
      sum += x * x;
      ++count;
    }
    if (count == 0) break;
    sigma = truncation_correction * std::sqrt(sum / static_cast<double>(count)) + tiny;
  }
  return sigma;
}

}  // namespace sunder
