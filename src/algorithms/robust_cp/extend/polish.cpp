#include "algorithms/robust_cp/extend/polish.hpp"

#include <algorithm>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"

namespace sunder::robust {

Factors polished(Engine& engine, Factors factors, const PolishOptions& options, Monitor& monitor) {
  factors.front() /= options.scale;  // whose root would change digits
  balance(factors);
  const CpModel model(Vector::Constant(factors.front().cols(), options.scale), factors);
  PassResult seen = engine.pass({.model = &model,
                                 .rule = Rule::hard_threshold(3 * options.sigma),
                                 .modes = all_modes(engine.shape().order()),
                                 .precision = options.precision});
  const auto entries = static_cast<double>(engine.shape().entries());
  monitor.did(6.0 * entries * static_cast<double>(model.rank()));
  const auto observed = static_cast<double>(seen.statistics.observed());
  // A threshold at 3 sigma removes 2.7% of the curvature of the truncated loss.
  const double kept = 0.973 * static_cast<double>(seen.statistics.kept) / observed;
  const double omega = std::max(kept, 0.1) * observed / entries;
  for (Matrix& g : seen.mttkrp) g /= omega * options.scale;
  const Factors free = options.constraints.free_entries(factors, seen.mttkrp);
  const Factors delta = gauss_newton_step(
      factors, seen.mttkrp, {.damping = 1e-6, .max_steps = 40, .tolerance = 1e-4}, &free);
  for (std::size_t m = 0; m < factors.size(); ++m) factors[m] += delta[m];
  impose(options.constraints, factors);
  factors.front() *= options.scale;
  return factors;
}

}  // namespace sunder::robust
