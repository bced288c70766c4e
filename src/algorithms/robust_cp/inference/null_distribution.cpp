#include "algorithms/robust_cp/inference/null_distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/statistics.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

/// Degrees of freedom that are tried; from 50 on nobody tells them from normal noise.
constexpr std::array<double, 16> tails{std::numeric_limits<double>::infinity(),
                                       50,
                                       30,
                                       20,
                                       15,
                                       12,
                                       10,
                                       8,
                                       7,
                                       6,
                                       5,
                                       4.5,
                                       4,
                                       3.5,
                                       3,
                                       2.5};

/// Counts of |z| that noise can explain at most.
struct Envelope {
  std::vector<int> ends;  ///< of each bin, in fine bins from zero
  std::vector<double> counts;

  double upper(std::size_t bin) const { return ends[bin] * limits::z_step; }
  /// The number of bins up to some z.
  std::size_t until(double z) const {
    std::size_t k = 0;
    while (k < ends.size() && upper(k) <= z + limits::z_step / 2) ++k;
    return k;
  }
};

std::vector<int> coarse_ends() {
  std::vector<int> ends;
  double width = limits::fine_bin;
  double at = 0;
  while (at < limits::z_reach) {
    if (at >= limits::fine_until) width *= limits::coarse_growth;
    at += width;
    ends.push_back(
        std::min(static_cast<int>(std::lround(at / limits::z_step)), StandardResiduals::per_side));
  }
  return ends;
}

Envelope envelope_of(const StandardResiduals& residuals) {
  Envelope envelope{coarse_ends(), {}};
  constexpr int zero = StandardResiduals::per_side;
  int begin = 0;
  double lowest = std::numeric_limits<double>::infinity();
  for (const int end : envelope.ends) {
    double left = 0;
    double right = 0;
    for (int k = begin; k < end; ++k) {
      left += residuals.counts[zero - 1 - k];
      right += residuals.counts[zero + k];
    }
    const double symmetric = 2 * std::min(left, right);
    const double by_chance = limits::usual_imbalance * std::sqrt(symmetric + 1);
    double count = symmetric + std::min(std::abs(left - right), by_chance);
    const double width = std::max(end - begin, 1);
    if (count / width > lowest + limits::slack * std::sqrt(count) / width) count = lowest * width;
    lowest = std::min(lowest, count / width);
    envelope.counts.push_back(count);
    begin = end;
  }
  return envelope;
}

/// log likelihood of the first bins, given that z lies in them.
double log_likelihood(const Envelope& envelope, std::size_t bins, const NullDistribution& null) {
  std::vector<double> mass(bins);
  double all = 0;
  int begin = 0;
  for (std::size_t k = 0; k < bins; ++k) {
    for (int fine = begin; fine < envelope.ends[k]; ++fine) {
      mass[k] += null.density((fine + 0.5) * limits::z_step);
    }
    all += mass[k];
    begin = envelope.ends[k];
  }
  double sum = 0;
  for (std::size_t k = 0; k < bins; ++k) {
    sum += envelope.counts[k] * std::log(mass[k] / all + tiny);
  }
  return sum;
}

struct Fitted {
  NullDistribution null;
  double log_likelihood = -std::numeric_limits<double>::infinity();
};

/// The scale, by golden section.
Fitted fit_scale(const Envelope& envelope, std::size_t bins, double degrees) {
  const auto value = [&](double log_scale) {
    return log_likelihood(envelope, bins, {.scale = std::exp(log_scale), .degrees = degrees});
  };
  constexpr double ratio = 1 / std::numbers::phi;
  double low = std::log(limits::least_scale / 2);
  double high = std::log(limits::most_scale);
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double at_left = value(left);
  double at_right = value(right);
  for (int step = 0; step < limits::scale_steps; ++step) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - ratio * (high - low);
      at_left = value(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + ratio * (high - low);
      at_right = value(right);
    }
  }
  const double best = (low + high) / 2;
  return {{.scale = std::exp(best), .degrees = degrees}, value(best)};
}

/// Normal, unless tails explain the first bins clearly better.
Fitted fit_tails(const Envelope& envelope, std::size_t bins) {
  const Fitted normal = fit_scale(envelope, bins, tails.front());
  Fitted best = normal;
  for (std::size_t k = 1; k < tails.size(); ++k) {
    const Fitted heavier = fit_scale(envelope, bins, tails[k]);
    if (heavier.log_likelihood > best.log_likelihood) best = heavier;
  }
  return best.log_likelihood > normal.log_likelihood + limits::clear_gain ? best : normal;
}

double share_of(const Envelope& envelope, const NullDistribution& null, double total) {
  const std::size_t bins = envelope.until(limits::share_ends * null.scale);
  double seen = 0;
  for (std::size_t k = 0; k < bins; ++k) seen += envelope.counts[k];
  double mass = 0;
  for (int fine = 0; fine < (bins > 0 ? envelope.ends[bins - 1] : 0); ++fine) {
    mass += 2 * limits::z_step * null.density((fine + 0.5) * limits::z_step);
  }
  return std::clamp(seen / std::max(mass * total, tiny), 0.0, 1.0);
}

}  // namespace

double NullDistribution::density(double z) const {
  const double x = z / scale;
  if (!std::isfinite(degrees)) {
    return std::exp(-0.5 * x * x) / (scale * std::sqrt(2 * std::numbers::pi));
  }
  const double height = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
                        (scale * std::sqrt(degrees * std::numbers::pi));
  return height * std::pow(1 + x * x / degrees, -(degrees + 1) / 2);
}

double NullDistribution::tail(double z) const {
  const double x = std::abs(z) / scale;
  if (!std::isfinite(degrees)) return 0.5 * std::erfc(x / std::numbers::sqrt2);
  return density(z) * std::abs(z) / degrees;
}

std::optional<NullDistribution> fit_null(const StandardResiduals& residuals) {
  if (residuals.total < limits::fewest_entries) return std::nullopt;
  const Envelope envelope = envelope_of(residuals);
  const std::size_t core = envelope.until(limits::core_ends);
  std::size_t bins = core;
  while (bins < envelope.counts.size() && envelope.counts[bins] >= 1) ++bins;
  Fitted fitted = fit_tails(envelope, bins);
  // Errors of either sign on both sides look like tails, but the core has none.
  const Fitted of_core = fit_tails(envelope, core);
  const Fitted same_tails = fit_scale(envelope, core, fitted.null.degrees);
  if (of_core.log_likelihood > same_tails.log_likelihood + limits::clear_gain) fitted = of_core;
  NullDistribution null = fitted.null;
  if (!(null.scale > limits::least_scale && null.scale < 0.99 * limits::most_scale)) {
    return std::nullopt;
  }
  null.share = share_of(envelope, null, residuals.total);
  return null;
}

}  // namespace sunder::robust
