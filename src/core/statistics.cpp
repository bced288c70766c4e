#include "core/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

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

namespace {

/// Of values that are drawn evenly, in order: three standard deviations on either side of the
/// wanted one leave about a quarter of all values between them.
constexpr std::size_t drawn_values = 128;
constexpr std::size_t drawn_beside = 17;
constexpr std::size_t worth_a_bracket = 1024;  ///< values; with fewer, selection alone is faster

/// Copies the values in [low, high]; returns their number and that of the lower ones.
/// Without a branch that depends on a value: wrong guesses of it are what selection costs.
std::pair<std::size_t, std::size_t> keep_between(std::span<double> values, double low, double high,
                                                 std::vector<double>& kept) {
  kept.resize(values.size());
  std::size_t inside = 0;
  std::size_t below = 0;
  for (const double x : values) {
    kept[inside] = x;
    inside += static_cast<std::size_t>(x >= low) & static_cast<std::size_t>(x <= high);
    below += static_cast<std::size_t>(x < low);
  }
  return {inside, below};
}

/// The k-th smallest of many values, by selection among those near it.
double bracketed(std::span<double> values, std::size_t k) {
  std::array<double, drawn_values> drawn;
  const std::size_t step = values.size() / drawn_values;
  for (std::size_t i = 0; i < drawn_values; ++i) drawn[i] = values[i * step];
  std::sort(drawn.begin(), drawn.end());
  const std::size_t near = k * drawn_values / values.size();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double low = near < drawn_beside ? -infinity : drawn[near - drawn_beside];
  const double high = near + drawn_beside >= drawn_values ? infinity : drawn[near + drawn_beside];
  std::vector<double> kept;
  const auto [inside, below] = keep_between(values, low, high, kept);
  if (k < below || k >= below + inside) return order_statistic(values, k);
  return order_statistic(std::span(kept).first(inside), k - below);
}

}  // namespace

double quantile(std::span<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size()));
  const std::size_t k = std::min(at, values.size() - 1);
  return values.size() < worth_a_bracket ? order_statistic(values, k) : bracketed(values, k);
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
