// Notation:
//   F  factors    R = C - L(F)  residual    c  threshold    f = sum of min(R^2, c^2), the cost
#include "algorithms/robust_cp/core/constrained_fit.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace constrained = levels::constrained;

double truncated_squares(const PassResult& seen, double c) {
  return seen.statistics.kept_square_sum + c * c * static_cast<double>(seen.statistics.rejected);
}

/// The threshold that leaves three standard deviations of the inliers in.
double threshold_of(const DenseCore& core, const Factors& factors, double sigma) {
  const double own = inlier_sigma(magnitudes_at(core, factors, thinned(informative(core))));
  return inlier_width * std::max(sigma, own);
}

/// The longest of a step's halves that lowers the cost below `before`; nothing if none does.
std::optional<Factors> lowered(const DenseCore& core, const ModeConstraints& constraints,
                               const Factors& factors, const Factors& delta, double c,
                               double before, Monitor& monitor) {
  double length = 1;
  for (int k = 0; k < constrained::halvings; ++k, length /= 2) {
    Factors next = factors;
    for (std::size_t m = 0; m < next.size(); ++m) next[m] += length * delta[m];
    impose(constraints, next);
    const PassResult seen =
        fused_pass(core, next, Rule::hard_threshold(c), monitor, Products::none);
    if (truncated_squares(seen, c) < before) return next;
  }
  return std::nullopt;
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
  for (int step = 0; step < constrained::most_steps; ++step) {
    monitor.beat();
    balance(factors);
    const double c = threshold_of(core, factors, sigma);
    PassResult seen = fused_pass(core, factors, Rule::hard_threshold(c), monitor);
    const double before = truncated_squares(seen, c);
    const double share =
        static_cast<double>(seen.statistics.kept) / static_cast<double>(core.shape.entries());
    for (Matrix& g : seen.mttkrp) g /= std::max(share, levels::least_kept_share);
    const Factors free = constraints.free_entries(factors, seen.mttkrp);
    const Factors delta = gauss_newton_step(factors, seen.mttkrp, constrained::step, &free);
    std::optional<Factors> next = lowered(core, constraints, factors, delta, c, before, monitor);
    if (!next) return;
    const double moved = distance(factors, *next);
    factors = *std::move(next);
    if (moved < constrained::tolerance * norm(factors)) return;
  }
}

}  // namespace sunder::robust
