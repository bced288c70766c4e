#include "algorithms/robust_cp/noise/refine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/algebra/normal_operator.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/noise/model/noise_estimate.hpp"
#include "algorithms/robust_cp/noise/weighted_step.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// What a step starts from.
struct State {
  Factors factors;
  Factors gradient;
  SeparableWeights curvature;
  EntryWeights weights;  ///< empty unless the data are a core
};

class Refinement {
 public:
  Refinement(const ReadLikelihood& read, const DenseCore* core, const RefineOptions& options,
             Monitor& monitor)
      : read_(read), core_(core), options_(options), monitor_(monitor) {}

  NoisyFit run(Factors factors, NoiseModel noise) {
    balance(factors);
    fit_.noise = std::move(noise);
    bool have_state = false;
    bool done = false;
    for (int step = 0; step <= options_.steps && !done; ++step) {
      const NoiseModel present = fit_.noise;
      EntryWeights weights;
      LikelihoodSums sums = read_(factors, present, slow_ ? &weights : nullptr);
      const double nats = sums.nats_per_entry();
      const bool failed = !std::isfinite(nats) || nats > fit_.nats + limits::allowed_loss;
      const bool rejected = have_state && failed && damping_ < limits::most_damping;
      if (rejected) {
        damping_ *= limits::damping_rises;
      } else {
        accept(std::move(factors), sums, step);
        state_.weights = std::move(weights);
        have_state = true;
      }
      if (step == options_.steps) break;
      // Another step like the last one would not bring it near the best.
      if (step >= limits::steps_of_losers && fit_.nats - fall_ > options_.hopeless) break;
      factors = stepped_from_state();
      done = !rejected && step >= options_.least_steps && gain_ < options_.enough_gain * unknowns();
    }
    if (done) fit_.factors = std::move(factors);  // the last step is taken without another look
    return std::move(fit_);
  }

 private:
  double unknowns() const {
    Index rows = 1 - std::ssize(state_.factors);
    for (const Matrix& factor : state_.factors) rows += factor.rows();
    return static_cast<double>(rows * state_.factors.front().cols());
  }

  void accept(Factors factors, LikelihoodSums& sums, int step) {
    fall_ = step == 0 ? 0 : std::max(fit_.nats - sums.nats_per_entry(), 0.0);
    fit_.nats = sums.nats_per_entry();
    fit_.steps = step;
    fit_.inlier_shares.clear();
    for (const SliceSums& slices : sums.slices) {
      fit_.inlier_shares.emplace_back(slices.inliers.cwiseQuotient(slices.observed.cwiseMax(1)));
    }
    state_.curvature = fisher_information(sums.slices);
    information_ = information_share(sums.slices);
    state_.gradient = std::move(sums.gradient);
    state_.factors = std::move(factors);
    fit_.factors = state_.factors;
    fit_.counted_under = fit_.noise;
    fit_.signal_promise = estimate_noise(sums, state_.factors.front().cols(), fit_.noise);
    fit_.residuals = std::move(sums.residuals);
    damping_ = std::max(damping_ / limits::damping_falls, limits::least_damping);
  }

  Factors stepped_from_state() {
    const Factors free = options_.constraints.any_nonnegative()
                             ? options_.constraints.free_entries(state_.factors, state_.gradient)
                             : Factors{};
    const Factors* movable = free.empty() ? nullptr : &free;
    const bool exact = slow_ && state_.weights.curvature.size() > 0;
    Factors delta = exact ? weighted_step(*core_, state_.factors, state_.gradient,
                                          information_ * state_.weights.curvature, state_.curvature,
                                          damping_, movable, monitor_)
                          : separable_step(state_.factors, state_.gradient, state_.curvature,
                                           damping_, movable);
    const double gain = dot(delta, state_.gradient);
    if (core_ != nullptr && options_.exact_if_slow && gain_ > 0 &&
        gain > limits::slow_progress * gain_) {
      slow_ = true;
    }
    gain_ = gain;
    Factors next = stepped(state_.factors, delta);
    impose(options_.constraints, next);
    balance(next);
    return next;
  }

  const ReadLikelihood& read_;
  const DenseCore* core_;
  const RefineOptions& options_;
  Monitor& monitor_;
  NoisyFit fit_;
  State state_;
  double damping_ = limits::first_damping;
  double information_ = 1;
  double fall_ = 0;    ///< of the nats, in the last step
  double gain_ = 0;    ///< nats that the last step promised
  bool slow_ = false;  ///< steps use the weights themselves
};

}  // namespace

NoisyFit refine(const DenseCore& core, Factors factors, NoiseModel noise,
                const RefineOptions& options, Monitor& monitor) {
  const ReadLikelihood read = [&](const Factors& now, const NoiseModel& under, EntryWeights* w) {
    return likelihood_sums(core, now, under, monitor, w);
  };
  return Refinement(read, &core, options, monitor).run(std::move(factors), std::move(noise));
}

NoisyFit refine(const ReadLikelihood& read, Factors factors, NoiseModel noise,
                const RefineOptions& options, Monitor& monitor) {
  return Refinement(read, nullptr, options, monitor).run(std::move(factors), std::move(noise));
}

}  // namespace sunder::robust
