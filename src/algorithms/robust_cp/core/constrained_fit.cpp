// Notation:
//   F  factors    R = C - L(F)  residual    c  threshold    f = sum of min(R^2, c^2), the cost
#include "algorithms/robust_cp/core/constrained_fit.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/gauss_newton.hpp"

namespace sunder::robust {

namespace {

constexpr int most_steps = 40;
constexpr int halvings = 6;
constexpr double tolerance = 1e-4;  // relative, of a step: what noise leaves uncertain is more

double truncated_squares(const PassResult& seen, double c) {
  return seen.statistics.kept_square_sum + c * c * static_cast<double>(seen.statistics.rejected);
}

/// The threshold that leaves three standard deviations of the inliers in.
double threshold_of(const DenseCore& core, const Factors& factors, double sigma) {
  const Entries R = residual(core, factors);
  std::vector<double> magnitudes;
  for (const Index i : thinned(informative(core))) magnitudes.push_back(std::abs(R[i]));
  return 3 * std::max(sigma, inlier_sigma(std::move(magnitudes)));
}

}  // namespace

void impose(const ModeConstraints& constraints, Factors& factors) {
  if (!constraints.any()) return;
  balance(factors);
  constraints.impose(factors);
}

void constrain(const DenseCore& core, const ModeConstraints& constraints, double sigma,
               Factors& factors, Monitor& monitor) {
  impose(constraints, factors);
  if (!constraints.any_nonnegative()) return;
  for (int step = 0; step < most_steps; ++step) {
    monitor.beat();
    balance(factors);
    const double c = threshold_of(core, factors, sigma);
    PassResult seen = fused_pass(core, factors, Rule::hard_threshold(c), monitor);
    const double before = truncated_squares(seen, c);
    const double share =
        static_cast<double>(seen.statistics.kept) / static_cast<double>(core.shape.entries());
    for (Matrix& g : seen.mttkrp) g /= std::max(share, 0.1);
    const Factors free = constraints.free_entries(factors, seen.mttkrp);
    const Factors delta = gauss_newton_step(
        factors, seen.mttkrp, {.damping = 1e-4, .max_steps = 40, .tolerance = 1e-3}, &free);
    bool lower = false;
    double length = 1;
    Factors next;
    for (int k = 0; k < halvings && !lower; ++k, length /= 2) {
      next = factors;
      for (std::size_t m = 0; m < next.size(); ++m) next[m] += length * delta[m];
      impose(constraints, next);
      lower =
          truncated_squares(
              fused_pass(core, next, Rule::hard_threshold(c), monitor, Products::none), c) < before;
    }
    if (!lower) return;
    const double moved = distance(factors, next);
    factors = std::move(next);
    if (moved < tolerance * norm(factors)) return;
  }
}

}  // namespace sunder::robust
