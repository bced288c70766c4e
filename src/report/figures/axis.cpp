#include "report/figures/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"

namespace sunder::svg {
namespace {

// Differences of larger values overflow.
constexpr double largest_drawable = 1e300;

// Formats a tick with as many decimals as the step needs, the same for all ticks of an axis.
std::string tick_label(double value, double step, double largest) {
  if (value == 0) return "0";
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (largest < 1e6 && step_exponent >= -4) {
    const std::string digits = fmt::format("{:.{}f}", std::abs(value), std::max(0, -step_exponent));
    return (value < 0 ? "−" : "") + digits;
  }
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) - step_exponent + 1;
  return html::number(value, std::clamp(digits, 1, 12));
}

}  // namespace

bool Range::drawable(double value) const {
  return std::abs(value) < largest_drawable && (scale_ == Scale::linear || value > 0);
}

void Range::include(double value) {
  if (!drawable(value)) return;
  const bool first = empty();
  low_ = first ? value : std::min(low_, value);
  high_ = first ? value : std::max(high_, value);
}

double nice_step(double span, int parts) {
  const double smallest = span / parts;
  const double power = std::pow(10, std::floor(std::log10(smallest)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= smallest * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

AxisScale::AxisScale(const Axis& axis, const Range& range, int max_ticks, Ends ends)
    : scale_(axis.scale) {
  if (!range.empty()) {
    low_ = range.low();
    high_ = range.high();
  } else if (scale_ == Scale::log) {
    low_ = 0.1;
  }
  if (scale_ == Scale::log) {
    make_log_ticks(max_ticks);
  } else {
    make_linear_ticks(max_ticks, axis.integer, ends);
  }
}

void AxisScale::make_log_ticks(int max_ticks) {
  const int first = static_cast<int>(std::floor(std::log10(low_)));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high_))));
  const int step = std::max(1, (last - first + max_ticks - 1) / max_ticks);
  low_ = first;
  high_ = last;
  for (int exponent = first; exponent <= last; exponent += step) {
    ticks_.push_back({std::pow(10, exponent), html::power_of_ten(exponent)});
  }
}

void AxisScale::make_linear_ticks(int max_ticks, bool integer, Ends ends) {
  const double magnitude = std::max(std::abs(low_), std::abs(high_));
  // Values that agree to nine digits are drawn as one, because their ticks would have the same
  // labels.
  if (high_ - low_ <= 1e-9 * magnitude || high_ == low_) {
    const double room = integer ? 0.5 : (magnitude > 0 ? 0.5 * magnitude : 0.5);
    low_ -= room;
    high_ += room;
  }
  double step = nice_step(high_ - low_, max_ticks);
  if (integer) step = std::max(1.0, step);
  if (ends == Ends::at_ticks) {
    low_ = step * std::floor(low_ / step + 1e-9);
    high_ = step * std::ceil(high_ / step - 1e-9);
  }
  const double first = std::ceil(low_ / step - 1e-9);
  const double last = std::floor(high_ / step + 1e-9);
  const double largest = std::max(std::abs(low_), std::abs(high_));
  for (double k = first; k <= last && ticks_.size() < 100; ++k) {
    ticks_.push_back({k * step, tick_label(k * step, step, largest)});
  }
}

void AxisScale::place(double first_pixel, double last_pixel) {
  first_pixel_ = first_pixel;
  last_pixel_ = last_pixel;
}

double AxisScale::pixel(double value) const {
  const double position = scale_ == Scale::log ? std::log10(value) : value;
  return first_pixel_ + (position - low_) / (high_ - low_) * (last_pixel_ - first_pixel_);
}

}  // namespace sunder::svg
