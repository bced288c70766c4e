#pragma once
/// Surplus components of a fit, which go once the wanted ones stand out.

#include <vector>

#include "algorithms/robust_cp/core/graduated/core_sample.hpp"

namespace sunder::robust {

/// Which components stay.
struct Pruning {
  std::vector<Index> kept;  ///< those whose loss is largest, first
  bool clear = false;       ///< the `rank` wanted ones stand out from the others
};

/// `loss`: how much worse the robust cost is without each component (leave_one_out). All surplus
/// components go where the wanted ones stand out. Otherwise a quarter of the surplus goes: a
/// component that two of them share is whole again before it is its turn.
Pruning choose_components(const Eigen::ArrayXd& loss, int rank);

/// The chosen components, or the model itself refitted at their number inside its own subspaces,
/// whichever has the lowest robust cost on the sample, at scale c.
Factors best_of_lower_rank(const Factors& model, const Factors& chosen, const CoreSample& sample,
                           double c, Rng& rng);

}  // namespace sunder::robust
