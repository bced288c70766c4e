#include "algorithms/robust_cp/extend/polish.hpp"

#include <algorithm>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace extension = levels::extension;

Factors polished(Engine& engine, Factors factors, const PolishOptions& options, Monitor& monitor) {
  factors.front() /= options.scale;  // whose root would change digits
  balance(factors);
  const CpModel model(Vector::Constant(factors.front().cols(), options.scale), factors);
  PassResult seen = engine.pass({.model = &model,
                                 .rule = Rule::hard_threshold(inlier_width * options.sigma),
                                 .modes = all_modes(engine.shape().order()),
                                 .precision = options.precision});
  const auto entries = static_cast<double>(engine.shape().entries());
  monitor.did(levels::flops_of_products * entries * static_cast<double>(model.rank()));
  const auto observed = static_cast<double>(seen.statistics.observed());
  const double kept =
      extension::polish_curvature * static_cast<double>(seen.statistics.kept) / observed;
  const double omega = std::max(kept, levels::least_kept_share) * observed / entries;
  for (Matrix& g : seen.mttkrp) g /= omega * options.scale;
  const Factors free = options.constraints.free_entries(factors, seen.mttkrp);
  factors =
      stepped(factors, gauss_newton_step(factors, seen.mttkrp, extension::polish_step, &free));
  impose(options.constraints, factors);
  factors.front() *= options.scale;
  return factors;
}

}  // namespace sunder::robust
