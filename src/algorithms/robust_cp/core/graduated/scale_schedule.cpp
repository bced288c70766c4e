#include "algorithms/robust_cp/core/graduated/scale_schedule.hpp"

#include <algorithm>
#include <vector>

#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace gnc = levels::graduated;

std::vector<double> magnitudes_of(const Entries& R) {
  const Entries magnitudes = R.abs();
  return {magnitudes.data(), magnitudes.data() + magnitudes.size()};
}

}  // namespace

void ScaleSchedule::shrink(const Entries& R, double moved) {
  std::vector<double> magnitudes = magnitudes_of(R);
  const double rms = root_mean_square(magnitudes);
  q_ = quantile(magnitudes, low_quantile) + tiny;
  if (!smooth_) {
    c_ = next_threshold(R, moved);
  } else if (c_ == 0) {
    c_ = std::max(kappa_ * q_, std::min(gnc::first_scale_in_rms * rms, start_width_ * q_));
  } else {
    c_ = std::max(gnc::shrink * c_, std::min(c_, kappa_ * q_));
  }
}

/// Never into the noise: there the threshold would take what it should keep.
double ScaleSchedule::next_threshold(const Entries& R, double moved) const {
  const double lower =
      std::min(c_, std::max(gnc::threshold_fall * c_, gnc::threshold_in_rms * inlier_rms(R)));
  const bool falls = lower < c_ || moved > gnc::threshold_rests;
  return std::max(falls ? lower : gnc::shrink * c_, gnc::threshold_floor * sigma_);
}

void ScaleSchedule::lower_floor(double moved) {
  if (moved < gnc::slow && c_ >= gnc::at_floor * kappa_ * q_) {
    kappa_ = std::max(gnc::shrink * kappa_, gnc::least_floor);
  }
}

void ScaleSchedule::choose_rule(const Entries& R, double moved, bool rested) {
  if (!smooth_) measure_inliers(R);
  if (smooth_ && moved < gnc::settled && rested) {
    const bool apart = gnc::apart_in_rms * inlier_rms(R) < c_;
    if (!apart && kappa_ > gnc::least_floor) return;
    smooth_ = false;
    sigma_ = 0;
    measure_inliers(R);
    if (!apart) c_ = std::max(c_, gnc::first_threshold * sigma_);
  } else if (!smooth_ && moved > gnc::upset) {
    smooth_ = true;
  }
}

void ScaleSchedule::widen(const Entries& R) {
  kappa_ = gnc::floor_in_quartiles;
  std::vector<double> magnitudes = magnitudes_of(R);
  const double rms = root_mean_square(magnitudes);
  const auto inside =
      std::count_if(magnitudes.begin(), magnitudes.end(), [&](double x) { return x < c_; });
  const double share = static_cast<double>(inside) /
                       static_cast<double>(std::max<std::size_t>(magnitudes.size(), 1));
  const double q = quantile(magnitudes, gnc::widened_share * share);
  c_ = std::max(
      {c_, kappa_ * q, std::min(gnc::first_scale_in_rms * rms, gnc::widened_in_quartiles * q)});
}

bool ScaleSchedule::is_stationary(double moved) const {
  return at_rest_ >= gnc::stationary_iterations && moved < gnc::stationary_movement;
}

double ScaleSchedule::inlier_rms(const Entries& R) const {
  std::vector<double> inliers = magnitudes_of(R);
  std::erase_if(inliers, [&](double x) { return x >= c_; });
  return root_mean_square(inliers);
}

void ScaleSchedule::measure_inliers(const Entries& R) {
  const double before = sigma_;
  sigma_ = inlier_sigma(magnitudes_of(R));
  const bool rests = sigma_ > gnc::stationary_sigma * before && before > 0;
  at_rest_ = rests ? at_rest_ + 1 : 0;
}

}  // namespace sunder::robust
