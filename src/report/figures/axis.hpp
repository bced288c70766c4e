#pragma once
/// Axes of a plot: which values they show, where, and which of them get a label.

#include <string>
#include <vector>

namespace sunder::svg {

enum class Scale { linear, log };

struct Axis {
  std::string label;
  Scale scale = Scale::linear;
  bool integer = false;  ///< only whole numbers get a tick
};

struct Tick {
  double value = 0;
  std::string label;
};

/// The smallest interval around the values that can be drawn; others are ignored.
class Range {
 public:
  explicit Range(Scale scale = Scale::linear) : scale_(scale) {}
  /// Finite, and positive on a log axis.
  bool drawable(double value) const;
  void include(double value);
  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  Scale scale_;
  double low_ = 1;
  double high_ = 0;  // low > high: nothing included so far
};

/// Maps values to pixels.
class AxisScale {
 public:
  enum class Ends { tight, at_ticks };
  /// An empty range becomes 0 .. 1, a single value gets some room around it.
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

/// 1, 2 or 5 times a power of ten: the smallest such step that cuts `span` into at most `parts`.
double nice_step(double span, int parts);

}  // namespace sunder::svg
