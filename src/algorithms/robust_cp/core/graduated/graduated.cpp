// Notation:
//   C  the core            F  factors of the model        R = C - L(F)   residual, on a sample of C
//   c  scale of the rule   W  weights, rule(R / c)        q  lower quartile of |R|
//   omega  mean weight of the observed entries: one scalar stands for W in the normal equations
#include "algorithms/robust_cp/core/graduated.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/core/core_start.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

constexpr int max_iterations = 120;
constexpr Index sample_size = 8000;
constexpr int cheap_steps = 8;  // under the threshold, before those on the inliers themselves
constexpr double tiny = 1e-300;

/// Entries drawn at random, on which quantiles and costs are taken: a pass costs more.
class Sample {
 public:
  Sample(const DenseCore& core, const std::vector<Index>& from, Rng& rng) {
    std::vector<Index> chosen;
    if (static_cast<Index>(from.size()) <= sample_size * 3 / 2) {
      chosen = from;
    } else {
      for (Index k = 0; k < sample_size; ++k) chosen.push_back(from[rng.below(from.size())]);
    }
    values_.resize(static_cast<Index>(chosen.size()));
    at_.resize(static_cast<std::size_t>(core.shape.order()));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      values_[static_cast<Index>(k)] = core.values[chosen[k]];
      const ModeIndices index = core.shape.unravel(chosen[k]);
      for (std::size_t m = 0; m < at_.size(); ++m) at_[m].push_back(index[m]);
    }
  }

  Index size() const { return values_.size(); }

  /// A component's share in each entry.
  Entries component(const Factors& factors, Index i) const {
    Entries product = factors[0].col(i)(at_[0]).array();
    for (std::size_t m = 1; m < at_.size(); ++m) product *= factors[m].col(i)(at_[m]).array();
    return product;
  }
  Entries residual(const Factors& factors) const {
    Entries difference = values_;
    for (Index i = 0; i < factors.front().cols(); ++i) difference -= component(factors, i);
    return difference;
  }

 private:
  Entries values_;
  std::vector<std::vector<Index>> at_;  ///< of each mode, the index of each entry
};

/// Mean of the Geman-McClure cost.
double robust_cost(const Entries& R, double c) {
  const Entries u = (R / c).square();
  return (u / (1 + u)).mean();
}

class Graduated {
 public:
  Graduated(const DenseCore& core, int rank, const GraduatedOptions& options, Rng& rng,
            Monitor& monitor)
      : core_(core),
        rank_(rank),
        options_(options),
        rng_(rng),
        monitor_(monitor),
        told_(informative(core)),
        spread_(spread(core, thinned(told_))),
        sample_(core, told_, rng) {
    start();
  }

  Factors solve() {
    for (iteration_ = 1; iteration_ <= max_iterations; ++iteration_) {
      monitor_.beat();
      ++since_pruning_;
      choose_scale();
      step();
      if (surplus()) {
        prune_if_clear();
      } else if (!smooth_ && (moved_ < 1e-9 || is_stationary() || is_hopeless())) {
        break;
      } else {
        choose_rule();
      }
    }
    return F_;
  }

 private:
  bool surplus() const { return F_.front().cols() > rank_; }

  void set_factors(Factors factors) {
    F_ = std::move(factors);
    R_ = sample_.residual(F_);
  }

  /// Clipped and centred for the start alone: a one-sided S would take a component otherwise. Where
  /// the mean is nearly all there is, it is a component itself.
  void start() {
    const double middle = median();
    Entries X = core_.values.max(middle - 10 * spread_).min(middle + 10 * spread_);
    if (!core_.complete()) X *= core_.observed;
    const double share = core_.observed_share();
    const double mean = X.mean() / share;
    const double square = X.square().mean() / share;
    if (mean * mean < 0.8 * square) X -= mean;
    if (!core_.complete()) X *= core_.observed / share;
    Factors first = subspace_start(core_.shape, X, rank_ + options_.surplus, rng_, monitor_);
    balance(first);
    set_factors(std::move(first));
  }

  double median() const {
    std::vector<double> values;
    for (const Index i : thinned(told_)) values.push_back(core_.values[i]);
    return quantile(values, 0.5);
  }

  std::vector<double> sampled_magnitudes() const {
    const Entries magnitudes = R_.abs();
    return {magnitudes.data(), magnitudes.data() + magnitudes.size()};
  }

  void measure_inliers() {
    const double before = sigma_;
    sigma_ = inlier_sigma(sampled_magnitudes());
    at_rest_ = sigma_ > 0.98 * before && before > 0 ? at_rest_ + 1 : 0;
  }

  /// Neither the inliers' deviation nor L changes any more: what is left is noise.
  bool is_stationary() const { return at_rest_ >= 3 && moved_ < 1e-4; }
  /// Steps on the inliers go down to rounding within a few, or not at all.
  bool is_hopeless() const { return thresholded_ > cheap_steps + 10; }

  double inlier_rms() const {
    std::vector<double> inliers = sampled_magnitudes();
    std::erase_if(inliers, [&](double x) { return x >= c_; });
    return root_mean_square(inliers);
  }

  void choose_scale() {
    std::vector<double> magnitudes = sampled_magnitudes();
    const double rms = root_mean_square(magnitudes);
    q_ = quantile(magnitudes, 0.25) + tiny;
    if (!smooth_) {
      const double lower = std::min(c_, std::max(0.6 * c_, 8 * inlier_rms()));
      // Never into the noise: there the threshold would take what it should keep.
      const double floor = 3.5 * sigma_;
      c_ = std::max(lower < c_ || moved_ > 0.003 ? lower : 0.8 * c_, floor);
    } else if (c_ == 0) {
      c_ = std::max(kappa_ * q_, std::min(3 * rms, options_.start_width * q_));
    } else {
      c_ = std::max(0.8 * c_, std::min(c_, kappa_ * q_));
    }
  }

  /// One damped Gauss-Newton step with the mean weight for all of W.
  void step() {
    if (!smooth_ && ++thresholded_ > cheap_steps) return step_on_inliers();
    PassResult seen = fused_pass(
        core_, F_, smooth_ ? Rule::geman_mcclure(c_) : Rule::hard_threshold(c_), monitor_);
    const double share = core_.observed_share();
    const double mean = seen.statistics.weight_sum /
                        static_cast<double>(std::max<Index>(seen.statistics.observed(), 1));
    for (Matrix& g : seen.mttkrp) g /= std::max(mean, 0.4) * share;
    if (smooth_) {
      descend(seen.mttkrp);
    } else {
      move(gauss_newton_step(F_, seen.mttkrp,
                             {.damping = 1e-6, .max_steps = 25, .tolerance = 1e-3}));
    }
  }

  /// More damping while the step makes the robust cost worse.
  void descend(const Factors& gradient) {
    const double cost = robust_cost(R_, c_);
    for (int attempt = 0; attempt < 4; ++attempt) {
      Factors next = F_;
      const Factors delta =
          gauss_newton_step(F_, gradient, {.damping = mu_, .max_steps = 25, .tolerance = 1e-2});
      for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
      if (attempt == 3 || robust_cost(sample_.residual(next), c_) <= 1.001 * cost) {
        move(delta);
        break;
      }
      mu_ *= 10;
    }
    mu_ = std::max(mu_ / 3, 1e-4);
    if (moved_ < 0.03 && c_ >= 0.999 * kappa_ * q_) kappa_ = std::max(0.8 * kappa_, 1.0);
  }

  /// Where the mean weight converges slowly (some rows have far fewer inliers than others): the
  /// inliers themselves. Dearer, but a few such steps go down to rounding.
  void step_on_inliers() {
    move(weighted_gauss_newton_step(
        core_, F_, c_, {.damping = 1e-6, .max_steps = 30, .tolerance = 1e-3}, monitor_));
  }

  void move(const Factors& delta) {
    Factors next = F_;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
    balance(next);
    moved_ = distance(F_, next) / (norm(F_) + tiny);
    set_factors(std::move(next));
  }

  /// From smooth weights to the threshold once the inliers stand apart, or once the weights, which
  /// have become as narrow as they may, only slow things down; and back if that upsets L.
  void choose_rule() {
    if (!smooth_) measure_inliers();
    if (smooth_ && moved_ < 0.01 && since_pruning_ > 2) {
      const bool apart = 5 * inlier_rms() < c_;
      if (!apart && kappa_ > 1) return;
      smooth_ = false;
      sigma_ = 0;
      measure_inliers();
      if (!apart) c_ = std::max(c_, 4 * sigma_);
    } else if (!smooth_ && moved_ > 0.2) {
      smooth_ = true;
      thresholded_ = 0;
    }
  }

  /// How much worse the robust cost is without each component.
  Eigen::ArrayXd leave_one_out() const {
    const double base = robust_cost(R_, c_);
    Eigen::ArrayXd loss(F_.front().cols());
    for (Index i = 0; i < loss.size(); ++i) {
      loss[i] = robust_cost(R_ + sample_.component(F_, i), c_) - base;
    }
    return loss;
  }

  /// Surplus components go when the wanted ones stand out. When nothing moves any more, a quarter
  /// of them: a component that two of them share is whole again before it is its turn.
  void prune_if_clear() {
    if (iteration_ < 3) return;
    const Eigen::ArrayXd loss = leave_one_out();
    std::vector<Index> by_loss(static_cast<std::size_t>(loss.size()));
    std::iota(by_loss.begin(), by_loss.end(), Index{0});
    std::stable_sort(by_loss.begin(), by_loss.end(),
                     [&](Index a, Index b) { return loss[a] > loss[b]; });
    const auto r = static_cast<std::size_t>(rank_);
    const bool clear = loss[by_loss[r - 1]] > 3 * std::max(loss[by_loss[r]], 1e-12);
    const bool settled = iteration_ >= 25 || (moved_ < 2e-3 && iteration_ > 8);
    if (!clear && !(settled && since_pruning_ >= 3)) return;
    const std::size_t surplus = by_loss.size() - r;
    by_loss.resize(clear ? r : by_loss.size() - (surplus + 3) / 4);
    Factors chosen;
    for (const Matrix& factor : F_) chosen.emplace_back(factor(Eigen::all, by_loss));
    if (by_loss.size() > r) {
      set_factors(std::move(chosen));
      since_pruning_ = 0;
      return;
    }
    Factors kept = best_of_lower_rank(chosen);
    balance(kept);
    set_factors(std::move(kept));
    widen_after_pruning();
  }

  /// The chosen components, or the model itself refitted at the lower rank inside its own
  /// subspaces.
  Factors best_of_lower_rank(const Factors& chosen) {
    if (chosen.size() < 3) return chosen;
    std::vector<Matrix> basis;
    Factors triangle;
    std::vector<Index> extents;
    for (const Matrix& factor : F_) {
      Qr qr = thin_qr(factor);
      basis.push_back(std::move(qr.basis));
      triangle.push_back(std::move(qr.triangle));
      extents.push_back(basis.back().cols());
    }
    const Entries compressed = evaluate(triangle);
    Factors best = chosen;
    double lowest = robust_cost(sample_.residual(chosen), c_);
    for (int attempt = 0; attempt < 3; ++attempt) {
      Factors start;
      for (std::size_t m = 0; m < chosen.size(); ++m)
        start.push_back(basis[m].transpose() * chosen[m]);
      Factors candidate = small_als(Shape(extents), compressed, rank_, rng_, 40, 1e-7,
                                    attempt == 0 ? &start : nullptr)
                              .factors;
      for (std::size_t m = 0; m < candidate.size(); ++m) candidate[m] = basis[m] * candidate[m];
      const double cost = robust_cost(sample_.residual(candidate), c_);
      if (cost < lowest) {
        lowest = cost;
        best = std::move(candidate);
      }
    }
    return best;
  }

  void widen_after_pruning() {
    mu_ = 1e-3;
    kappa_ = 6;
    since_pruning_ = 0;
    std::vector<double> magnitudes = sampled_magnitudes();
    const double rms = root_mean_square(magnitudes);
    const auto inside =
        std::count_if(magnitudes.begin(), magnitudes.end(), [&](double x) { return x < c_; });
    const double share = static_cast<double>(inside) /
                         static_cast<double>(std::max<std::size_t>(magnitudes.size(), 1));
    const double q = quantile(magnitudes, 0.6 * share);
    c_ = std::max({c_, kappa_ * q, std::min(3 * rms, 20 * q)});
  }

  const DenseCore& core_;
  int rank_;
  GraduatedOptions options_;
  Rng& rng_;
  Monitor& monitor_;
  std::vector<Index> told_;
  double spread_;
  Sample sample_;
  Factors F_;
  Entries R_;  ///< on the sample
  double c_ = 0;
  double q_ = 0;
  double kappa_ = 6;
  double mu_ = 1e-3;
  double moved_ = 1;
  double sigma_ = 0;     ///< of the inliers, under the threshold
  int at_rest_ = 0;      ///< iterations since it last fell
  int thresholded_ = 0;  ///< steps under the threshold
  bool smooth_ = true;   ///< Geman-McClure weights; false: hard threshold
  int iteration_ = 0;
  int since_pruning_ = 0;
};

}  // namespace

Factors graduated_fit(const DenseCore& core, int rank, const GraduatedOptions& options, Rng& rng,
                      Monitor& monitor) {
  return Graduated(core, rank, options, rng, monitor).solve();
}

}  // namespace sunder::robust
