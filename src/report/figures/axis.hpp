#pragma once
/// Axes of a plot: the range of values, their positions, and the labelled ticks.

#include <string>
#include <vector>

namespace sunder::svg {

enum class Scale { linear, log };

struct Axis {
  std::string label;
  Scale scale = Scale::linear;
  bool integer = false;  ///< only integers get a tick
};

struct Tick {
  double value = 0;
  std::string label;
};

/// The smallest interval around the values that can be drawn; other values are ignored.
class Range {
 public:
  explicit Range(Scale scale = Scale::linear) : scale_(scale) {}
  /// Returns true if the value is finite and, on a log axis, positive.
  bool drawable(double value) const;
  void include(double value);
  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  Scale scale_;
  double low_ = 1;
  double high_ = 0;  // low > high: empty
};

/// Maps values to pixels.
class AxisScale {
 public:
  enum class Ends { tight, at_ticks };
  /// An empty range becomes 0 .. 1; a single value gets a margin around it.
  AxisScale(const Axis& axis, const Range& range, int max_ticks, Ends ends);
  void place(double first_pixel, double last_pixel);

  double pixel(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }
  double low() const { return low_; }

 private:
  void make_log_ticks(int max_ticks);
  void make_linear_ticks(int max_ticks, bool integer, Ends ends);

  Scale scale_;
  double low_ = 0;
  double high_ = 1;
  double first_pixel_ = 0;
  double last_pixel_ = 1;
  std::vector<Tick> ticks_;
};

/// Returns the smallest step of the form 1, 2 or 5 times a power of ten that cuts `span` into at
/// most `parts`.
double nice_step(double span, int parts);

}  // namespace sunder::svg
