#pragma once
/// Robust statistics of a sample: each of them is written once, here.

#include <span>
#include <vector>

namespace sunder {

/// Keeps quotients of exact zeros finite. It is far below every number that data consist of, and
/// adding it changes no digit of one.
inline constexpr double tiny = 1e-300;

/// The lower quartile of the absolute value of a standard normal variable.
inline constexpr double quartile_of_normal = 0.3186;
/// The standard deviation of a normal variable over its median absolute deviation.
inline constexpr double deviation_over_mad = 1.4826;

/// The quantile of |residuals| that scales of robust weights follow. Outliers do not reach it as
/// long as a quarter of the residuals are small; it was chosen by ablation on planted tensors.
inline constexpr double low_quantile = 0.25;
/// Residuals within this many standard deviations count as inliers; of normal ones 0.3% do not.
inline constexpr double inlier_width = 3;

/// The k-th smallest value, k from 0, by selection: `values` is reordered such that the smaller
/// ones come before it.
double order_statistic(std::span<double> values, std::size_t k);

/// The value of which a share q of the others is smaller; 0 if there are none. Reorders `values`.
double quantile(std::span<double> values, double q);

/// The upper one of the two in the middle, where the number of values is even; 0 if there are none.
double median(std::vector<double> values);
/// The mean of the two in the middle, where the number of values is even; 0 if there are none.
double midpoint_median(std::vector<double> values);

/// Median of |x - centre|.
double median_absolute_deviation(std::vector<double> values, double centre);
/// The standard deviation that a normal variable with this median absolute deviation has.
double robust_scale(std::vector<double> values, double centre);

double root_mean_square(std::span<const double> values);

/// Standard deviation of the inliers among |residuals|: from the lower quartile, then by
/// truncation at `inlier_width`.
double inlier_sigma(std::vector<double> magnitudes);

/// (1 + (residual / scale)^2)^-2: near one for inliers, falling with the fourth power (Geman and
/// McClure 1987).
inline double geman_mcclure_weight(double residual, double scale) {
  const double ratio = residual / scale;
  const double root = 1 / (1 + ratio * ratio);
  return root * root;
}

}  // namespace sunder
