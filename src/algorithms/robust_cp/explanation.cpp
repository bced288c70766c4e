#include "algorithms/robust_cp/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/robust_cp/core_start.hpp"

namespace sunder::robust {

double description_length(const std::vector<double>& magnitudes, double range) {
  if (magnitudes.empty() || !(range > 0)) return 0;
  constexpr double step = 1.25;
  const double outlier = std::log(2 * range);
  const double constant = 0.5 * std::log(2 * 3.141592653589793);
  double best = std::numeric_limits<double>::infinity();
  for (double sigma = range; sigma > 1e-9 * range; sigma /= step) {
    double sum = 0;
    for (const double r : magnitudes) {
      const double u = r / sigma;
      sum += std::min(0.5 * u * u + std::log(sigma) + constant, outlier);
    }
    best = std::min(best, sum / static_cast<double>(magnitudes.size()));
  }
  return best;
}

CoreSolution least_squares_core(const DenseCore& core, int rank, Rng& rng, Monitor& monitor) {
  constexpr int sweeps = 200;
  constexpr int fillings = 10;
  CoreSolution solution;
  const std::vector<Index> told = informative(core);
  solution.spread = spread(core, thinned(told));
  Entries X = core.values;
  if (!core.complete()) X *= core.observed / core.observed_share();
  solution.factors = subspace_start(core.shape, X, rank, rng, monitor);
  const int rounds = core.complete() ? 1 : fillings;
  for (int round = 0; round < rounds; ++round) {
    if (!core.complete()) {
      X = core.values * core.observed + evaluate(solution.factors) * (1 - core.observed);
    }
    monitor.beat();
    solution.factors =
        small_als(core.shape, X, rank, rng, sweeps / rounds, 1e-9, &solution.factors).factors;
  }
  balance(solution.factors);
  const Entries R = residual(core, solution.factors);
  std::vector<double> magnitudes;
  for (const Index i : told) magnitudes.push_back(std::abs(R[i]));
  solution.sigma = inlier_sigma(std::move(magnitudes));
  solution.starts = 1;
  return solution;
}

}  // namespace sunder::robust
