#include "algorithms/robust_cp/core/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace less_robust = levels::less_robust;

double description_length(const std::vector<double>& magnitudes, double range) {
  if (magnitudes.empty() || !(range > 0)) return 0;
  const double outlier = std::log(2 * range);
  const double constant = 0.5 * std::log(2 * std::numbers::pi);
  double best = std::numeric_limits<double>::infinity();
  double sigma = range;
  for (int k = 0; k < less_robust::sigmas; ++k, sigma /= less_robust::sigma_step) {
    double sum = 0;
    for (const double r : magnitudes) {
      const double u = r / sigma;
      sum += std::min(0.5 * u * u + std::log(sigma) + constant, outlier);
    }
    best = std::min(best, sum / static_cast<double>(magnitudes.size()));
  }
  return best;
}

namespace {

Factors least_squares(const DenseCore& core, int rank, Rng& rng, Monitor& monitor) {
  Entries X = core.values;
  if (!core.complete()) X *= core.observed / core.observed_share();
  Factors factors = subspace_start(core.shape, X, rank, rng, monitor);
  const int rounds = core.complete() ? 1 : less_robust::fillings;
  for (int round = 0; round < rounds; ++round) {
    if (!core.complete()) {
      X = core.values * core.observed + evaluate(factors) * (1 - core.observed);
    }
    monitor.beat();
    factors =
        small_als(core.shape, X, rank, rng,
                  {.sweeps = less_robust::sweeps / rounds, .tolerance = less_robust::als_tolerance},
                  &factors)
            .factors;
  }
  balance(factors);
  return factors;
}

/// Without negative entries least squares has several minima, and a few gross outliers make the
/// lowest of them: some sweeps from a random start, which do not reach any.
Factors nonnegative_start(const DenseCore& core, int rank, Rng& rng,
                          const ModeConstraints& constraints) {
  Entries X = core.values;
  if (!core.complete()) X *= core.observed / core.observed_share();
  Factors factors = small_als(core.shape, X, rank, rng,
                              {.sweeps = less_robust::nonnegative_sweeps,
                               .tolerance = less_robust::nonnegative_tolerance},
                              nullptr, constraints)
                        .factors;
  balance(factors);
  return factors;
}

/// Steps at one scale, with the mean weight for all weights.
void descend(const DenseCore& core, double scale, Factors& factors, Monitor& monitor,
             const ModeConstraints& constraints) {
  for (int step = 0; step < less_robust::steps; ++step) {
    monitor.beat();
    PassResult seen = fused_pass(core, factors, Rule::geman_mcclure(scale), monitor);
    const double mean = seen.statistics.weight_sum /
                        static_cast<double>(std::max<Index>(seen.statistics.observed(), 1));
    for (Matrix& g : seen.mttkrp)
      g /= std::max(mean, levels::least_mean_weight) * core.observed_share();
    const Factors free = constraints.free_entries(factors, seen.mttkrp);
    Factors next =
        stepped(factors, gauss_newton_step(factors, seen.mttkrp, less_robust::step, &free));
    balance(next);
    constraints.impose(next);
    const double moved = distance(factors, next) / norm(next);
    factors = std::move(next);
    if (moved < less_robust::movement) break;
  }
}

/// The shortest description so far, on the way down through the scales.
class Explanation {
 public:
  Explanation(const DenseCore& core, const ModeConstraints& constraints, Monitor& monitor)
      : core_(core),
        constraints_(constraints),
        monitor_(monitor),
        informative_(thinned(informative(core))),
        range_(core.values.abs().maxCoeff()) {
    best_.spread = spread(core, informative_);
  }

  void search_from(Factors factors) {
    double scale = 0;
    for (int k = 0; k <= less_robust::scales && norm(factors) > 0; ++k) {
      const std::vector<double> magnitudes = consider(factors);
      scale = k == 0 ? less_robust::first_scale * root_mean_square(magnitudes) : scale / 2;
      descend(core_, scale, factors, monitor_, constraints_);
    }
    if (best_.factors.empty()) best_.factors = std::move(factors);
    ++best_.starts;
  }

  CoreSolution best() { return std::move(best_); }

 private:
  std::vector<double> consider(const Factors& factors) {
    std::vector<double> magnitudes = magnitudes_at(core_, factors, informative_);
    const double length = description_length(magnitudes, range_);
    if (length < shortest_) {
      shortest_ = length;
      best_.factors = factors;
      best_.sigma = inlier_sigma(magnitudes);
    }
    return magnitudes;
  }

  const DenseCore& core_;
  const ModeConstraints& constraints_;
  Monitor& monitor_;
  std::vector<Index> informative_;
  double range_;
  CoreSolution best_;
  double shortest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

CoreSolution best_explained_core(const DenseCore& core, int rank, Rng& rng, Monitor& monitor,
                                 const ModeConstraints& constraints) {
  Explanation explanation(core, constraints, monitor);
  if (!constraints.any_nonnegative()) {
    explanation.search_from(least_squares(core, rank, rng, monitor));
  } else {
    for (int start = 0; start < less_robust::nonnegative_starts; ++start) {
      explanation.search_from(nonnegative_start(core, rank, rng, constraints));
    }
  }
  return explanation.best();
}

}  // namespace sunder::robust
