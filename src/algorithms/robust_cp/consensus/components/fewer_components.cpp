#include "algorithms/robust_cp/consensus/components/fewer_components.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/robust_cp/consensus/components/merging.hpp"
#include "algorithms/robust_cp/consensus/components/plain_fit.hpp"
#include "algorithms/robust_cp/core/algebra/curvature.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

namespace {

/// The entries that a model fits, as a core that knows no others.
DenseCore fitted_part(const Window& window, const Factors& factors) {
  DenseCore part = window.core;
  part.observed = (residual(window.core, factors).abs() < window.level).cast<double>();
  if (!window.core.complete()) part.observed *= window.core.observed;
  part.values *= part.observed;
  return part;
}

}  // namespace

bool may_be_redundant(const Factors& factors, Rng& rng) {
  return factors.front().cols() > 1 &&
         smallest_curvature(factors, rng) <= levels::surplus::least_curvature;
}

std::optional<Factors> with_fewer_components(const Window& window, const Factors& factors,
                                             Index fitted, Rng& rng, Monitor& monitor) {
  const Index components = factors.front().cols();
  if (components < 2) return std::nullopt;
  const auto obeys = [&](Factors& fewer) {
    if (fewer.front().cols() >= components || fewer.front().cols() == 0) return false;
    balance(fewer);
    impose(window.constraints, fewer);
    return window.fitted(fewer, monitor) >= fitted;
  };
  const Eigen::ArrayXd sizes = component_sizes(factors);
  Index smallest = 0;
  const bool one_is_small =
      sizes.minCoeff(&smallest) <= levels::search::small_component * sizes.maxCoeff();
  if (!one_is_small && !may_be_redundant(factors, rng)) return std::nullopt;
  Factors merged = with_parallel_merged(factors);
  if (obeys(merged)) return merged;
  const DenseCore part = fitted_part(window, factors);
  if (one_is_small) {
    Factors without = least_squares(part, without_component(factors, smallest), monitor);
    if (obeys(without)) return without;
  }
  const Factors start =
      subspace_start(part.shape, evaluate(factors), static_cast<int>(components - 1), rng, monitor);
  Factors fewer = least_squares(part, start, monitor);
  if (obeys(fewer)) return fewer;
  return std::nullopt;
}

}  // namespace sunder::robust
