#pragma once
/// The rule of the weights of a graduated fit, and its scale, from iteration to iteration.
///
/// Notation:
///   R  residual, on a sample of the core    c  scale of the rule    q  lower quartile of |R|
///   kappa  c stays above kappa q            sigma  standard deviation of the inliers

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

class ScaleSchedule {
 public:
  /// The first scale is at most this many lower quartiles of |R|.
  explicit ScaleSchedule(double start_width) : start_width_(start_width) {}

  /// Geman-McClure weights first; a hard threshold once the inliers stand apart.
  bool is_smooth() const { return smooth_; }
  double scale() const { return c_; }
  Rule rule() const { return smooth_ ? Rule::geman_mcclure(c_) : Rule::hard_threshold(c_); }

  /// Before a step: c shrinks towards the inliers. `moved`: by which share of itself the last step
  /// changed L.
  void shrink(const Entries& R, double moved);

  /// After a smooth step: the floor of c falls where nothing moves.
  void lower_floor(double moved);

  /// From smooth weights to the threshold once the inliers stand apart, or once the weights, which
  /// have become as narrow as they may, only slow things down; and back if that upsets L. `rested`:
  /// enough iterations have passed since components were pruned.
  void choose_rule(const Entries& R, double moved, bool rested);

  /// After surplus components have gone: what they fitted is to be seen again.
  void widen(const Entries& R);

  /// Neither the inliers' deviation nor L changes any more: what is left is noise.
  bool is_stationary(double moved) const;

 private:
  double next_threshold(const Entries& R, double moved) const;
  double inlier_rms(const Entries& R) const;
  void measure_inliers(const Entries& R);

  double start_width_;
  bool smooth_ = true;
  double c_ = 0;
  double q_ = 0;
  double kappa_ = levels::graduated::floor_in_quartiles;
  double sigma_ = 0;  ///< under the threshold
  int at_rest_ = 0;   ///< iterations since it last fell
};

}  // namespace sunder::robust
