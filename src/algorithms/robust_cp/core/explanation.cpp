#include "algorithms/robust_cp/core/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/robust_cp/core/core_start.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"

namespace sunder::robust {

double description_length(const std::vector<double>& magnitudes, double range) {
  if (magnitudes.empty() || !(range > 0)) return 0;
  constexpr double step = 1.25;
  constexpr int steps = 93;  // down to 1e-9 of the range
  const double outlier = std::log(2 * range);
  const double constant = 0.5 * std::log(2 * 3.141592653589793);
  double best = std::numeric_limits<double>::infinity();
  double sigma = range;
  for (int k = 0; k < steps; ++k, sigma /= step) {
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
  constexpr int sweeps = 200;
  constexpr int fillings = 10;
  Entries X = core.values;
  if (!core.complete()) X *= core.observed / core.observed_share();
  Factors factors = subspace_start(core.shape, X, rank, rng, monitor);
  const int rounds = core.complete() ? 1 : fillings;
  for (int round = 0; round < rounds; ++round) {
    if (!core.complete()) {
      X = core.values * core.observed + evaluate(factors) * (1 - core.observed);
    }
    monitor.beat();
    factors = small_als(core.shape, X, rank, rng, sweeps / rounds, 1e-9, &factors).factors;
  }
  balance(factors);
  return factors;
}

/// Without negative entries least squares has several minima, and a few gross outliers make the
/// lowest of them: some sweeps from a random start, which do not reach any.
Factors nonnegative_start(const DenseCore& core, int rank, Rng& rng,
                          const ModeConstraints& constraints) {
  constexpr int sweeps = 30;
  Entries X = core.values;
  if (!core.complete()) X *= core.observed / core.observed_share();
  Factors factors = small_als(core.shape, X, rank, rng, sweeps, 1e-7, nullptr, constraints).factors;
  balance(factors);
  return factors;
}

/// Steps at one scale, with the mean weight for all weights.
void descend(const DenseCore& core, double scale, Factors& factors, Monitor& monitor,
             const ModeConstraints& constraints) {
  constexpr int steps = 12;
  for (int step = 0; step < steps; ++step) {
    monitor.beat();
    PassResult seen = fused_pass(core, factors, Rule::geman_mcclure(scale), monitor);
    const double mean = seen.statistics.weight_sum /
                        static_cast<double>(std::max<Index>(seen.statistics.observed(), 1));
    for (Matrix& g : seen.mttkrp) g /= std::max(mean, 0.4) * core.observed_share();
    const Factors free = constraints.free_entries(factors, seen.mttkrp);
    const Factors delta = gauss_newton_step(
        factors, seen.mttkrp, {.damping = 1e-3, .max_steps = 25, .tolerance = 1e-2}, &free);
    Factors next = factors;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += delta[m];
    balance(next);
    constraints.impose(next);
    const double moved = distance(factors, next) / norm(next);
    factors = std::move(next);
    if (moved < 1e-3) break;
  }
}

/// The shortest description so far, on the way down through the scales.
class Explanation {
 public:
  Explanation(const DenseCore& core, const ModeConstraints& constraints, Monitor& monitor)
      : core_(core),
        constraints_(constraints),
        monitor_(monitor),
        told_(thinned(informative(core))),
        range_(core.values.abs().maxCoeff()) {
    best_.spread = spread(core, told_);
  }

  void search_from(Factors factors) {
    constexpr int scales = 12;
    double scale = 0;
    for (int k = 0; k <= scales && norm(factors) > 0; ++k) {
      const std::vector<double> magnitudes = consider(factors);
      scale = k == 0 ? 4 * root_mean_square(magnitudes) : scale / 2;
      descend(core_, scale, factors, monitor_, constraints_);
    }
    if (best_.factors.empty()) best_.factors = std::move(factors);
    ++best_.starts;
  }

  CoreSolution best() { return std::move(best_); }

 private:
  std::vector<double> consider(const Factors& factors) {
    const Entries R = residual(core_, factors);
    std::vector<double> magnitudes;
    for (const Index i : told_) magnitudes.push_back(std::abs(R[i]));
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
  std::vector<Index> told_;
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
    constexpr int starts = 8;
    for (int start = 0; start < starts; ++start) {
      explanation.search_from(nonnegative_start(core, rank, rng, constraints));
    }
  }
  return explanation.best();
}

}  // namespace sunder::robust
