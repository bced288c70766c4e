#include "algorithms/robust_cp/noise/starts/descent.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/noise_starts.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

double descend(const DenseCore& core, double scale, double damping, Factors& factors,
               Monitor& monitor) {
  monitor.beat();
  PassResult seen = fused_pass(core, factors, Rule::geman_mcclure(scale), monitor);
  const double mean = seen.statistics.weight_sum /
                      static_cast<double>(std::max<Index>(seen.statistics.observed(), 1));
  for (Matrix& g : seen.mttkrp) {
    g /= std::max(mean, levels::starts::least_weight) * core.observed_share();
  }
  Factors next = stepped(factors, gauss_newton_step(factors, seen.mttkrp, {.damping = damping}));
  balance(next);
  const double moved = distance(factors, next) / (norm(factors) + tiny);
  factors = std::move(next);
  return moved;
}

double telling_quantile(const Entries& R, const Entries& L, double q) {
  if (R.size() == 0) return tiny;
  const double large = levels::starts::large_signal * std::sqrt(L.square().mean());
  std::vector<double> all;
  std::vector<double> telling;
  for (Index i = 0; i < R.size(); ++i) {
    all.push_back(std::abs(R[i]));
    if (std::abs(L[i]) > large) telling.push_back(all.back());
  }
  const double of_all = quantile(all, q);
  const bool enough = std::ssize(telling) > levels::starts::enough_telling;
  return (enough ? std::max(of_all, quantile(telling, q)) : of_all) + tiny;
}

}  // namespace sunder::robust
