// Notation:
//   C  the core            F  factors of the model        R = C - L(F)   residual, on a sample of C
//   c  scale of the rule   W  weights, rule(R / c)        mu  damping of the steps
//   omega  mean weight of the observed entries: one scalar stands for W in the normal equations
#include "algorithms/robust_cp/core/graduated/graduated.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/core/graduated/core_sample.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/pruning.hpp"
#include "algorithms/robust_cp/core/graduated/scale_schedule.hpp"

namespace sunder::robust {

namespace {

namespace gnc = levels::graduated;

/// GNC.
class Graduated {
 public:
  Graduated(const DenseCore& core, int rank, const GraduatedOptions& options, Rng& rng,
            Monitor& monitor)
      : core_(core),
        rank_(rank),
        rng_(rng),
        monitor_(monitor),
        informative_(informative(core)),
        spread_(spread(core, thinned(informative_))),
        sample_(core, informative_, rng),
        schedule_(options.start_width) {
    const Entries X = clipped_and_centred(core_, informative_, spread_);
    Factors first = subspace_start(core_.shape, X, rank_ + options.surplus, rng_, monitor_);
    balance(first);
    set_factors(std::move(first));
  }

  Factors solve() {
    for (iteration_ = 1; iteration_ <= gnc::max_iterations; ++iteration_) {
      monitor_.beat();
      ++since_pruning_;
      schedule_.shrink(R_, moved_);
      step();
      if (has_surplus()) {
        prune();
      } else if (is_done()) {
        break;
      } else {
        schedule_.choose_rule(R_, moved_, since_pruning_ > gnc::rest_after_pruning);
      }
    }
    return F_;
  }

 private:
  bool has_surplus() const { return F_.front().cols() > rank_; }

  /// Under the threshold: at rounding, at the noise, or not to be solved. Steps on the inliers go
  /// down to rounding within a few, or not at all.
  bool is_done() const {
    if (schedule_.is_smooth()) return false;
    const bool converged = moved_ < gnc::converged;
    const bool hopeless = steps_under_threshold_ > gnc::cheap_steps + gnc::inlier_steps ||
                          idle_steps_ >= gnc::idle_steps;
    return converged || schedule_.is_stationary(moved_) || hopeless;
  }

  /// A smooth step, a step under the threshold with the mean weight for all of W, or, where that
  /// converges slowly (some rows have far fewer inliers than others), one on the inliers
  /// themselves: these are dearer, but a few go down to rounding.
  void step() {
    steps_under_threshold_ = schedule_.is_smooth() ? 0 : steps_under_threshold_ + 1;
    if (schedule_.is_smooth()) idle_steps_ = 0;
    if (steps_under_threshold_ > gnc::cheap_steps) {
      const double before = inlier_deviation();
      move(weighted_gauss_newton_step(core_, F_, schedule_.scale(), gnc::inlier_step, monitor_));
      idle_steps_ = inlier_deviation() > gnc::idle_progress * before ? idle_steps_ + 1 : 0;
    } else if (schedule_.is_smooth()) {
      descend(gradient());
    } else {
      move(gauss_newton_step(F_, gradient(), gnc::threshold_step));
    }
  }

  double inlier_deviation() const {
    const Entries magnitudes = R_.abs();
    return inlier_sigma({magnitudes.data(), magnitudes.data() + magnitudes.size()});
  }

  /// MTTKRP(W R) / omega.
  Factors gradient() {
    PassResult seen = fused_pass(core_, F_, schedule_.rule(), monitor_);
    const double omega = seen.statistics.weight_sum /
                         static_cast<double>(std::max<Index>(seen.statistics.observed(), 1));
    for (Matrix& g : seen.mttkrp) {
      g /= std::max(omega, levels::least_mean_weight) * core_.observed_share();
    }
    return std::move(seen.mttkrp);
  }

  /// More damping while the step makes the robust cost worse.
  void descend(const Factors& gradient) {
    const double c = schedule_.scale();
    const double cost = robust_cost(R_, c);
    for (int attempt = 1; attempt <= gnc::damping_attempts; ++attempt) {
      const Factors delta = gauss_newton_step(F_, gradient,
                                              {.damping = mu_,
                                               .max_steps = gnc::smooth_step_limit,
                                               .tolerance = gnc::smooth_tolerance});
      const auto raises_cost = [&] {
        return !(robust_cost(sample_.residual(stepped(F_, delta)), c) <= gnc::raised_cost * cost);
      };
      if (attempt == gnc::damping_attempts || !raises_cost()) {
        move(delta);
        break;
      }
      mu_ *= gnc::more_damping;
    }
    mu_ = std::max(mu_ / gnc::less_damping, gnc::least_damping);
    schedule_.lower_floor(moved_);
  }

  void move(const Factors& delta) {
    Factors next = stepped(F_, delta);
    balance(next);
    moved_ = distance(F_, next) / (norm(F_) + tiny);
    set_factors(std::move(next));
  }

  void set_factors(Factors factors) {
    F_ = std::move(factors);
    R_ = sample_.residual(F_);
  }

  /// Surplus components go when the wanted ones stand out, or, in part, when nothing moves any
  /// more.
  void prune() {
    if (iteration_ < gnc::first_pruning) return;
    const double c = schedule_.scale();
    const Pruning pruning = choose_components(leave_one_out(sample_, F_, R_, c), rank_);
    const bool settled = iteration_ >= gnc::patient_pruning ||
                         (moved_ < gnc::pruning_movement && iteration_ > gnc::early_pruning);
    const bool due = settled && since_pruning_ >= gnc::pruning_interval;
    if (!pruning.clear && !due) return;
    since_pruning_ = 0;
    Factors chosen;
    for (const Matrix& factor : F_) chosen.emplace_back(factor(Eigen::all, pruning.kept));
    if (chosen.front().cols() > rank_) return set_factors(std::move(chosen));
    Factors kept = best_of_lower_rank(F_, chosen, sample_, c, rng_);
    balance(kept);
    set_factors(std::move(kept));
    mu_ = gnc::first_damping;
    schedule_.widen(R_);
  }

  const DenseCore& core_;
  int rank_;
  Rng& rng_;
  Monitor& monitor_;
  std::vector<Index> informative_;
  double spread_;
  CoreSample sample_;
  ScaleSchedule schedule_;
  Factors F_;
  Entries R_;  ///< on the sample
  double mu_ = gnc::first_damping;
  double moved_ = 1;  ///< by which share of itself the last step changed L
  int iteration_ = 0;
  int since_pruning_ = 0;
  int steps_under_threshold_ = 0;
  int idle_steps_ =
      0;  ///< on the inliers, one after the other, that left their deviation as it was
};

}  // namespace

Factors graduated_fit(const DenseCore& core, int rank, const GraduatedOptions& options, Rng& rng,
                      Monitor& monitor) {
  return Graduated(core, rank, options, rng, monitor).solve();
}

}  // namespace sunder::robust
