#pragma once
/// Whether the factors of a model are determined by it.

#include "algorithms/robust_cp/core/algebra/factors.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

/// The smallest eigenvalue of J'J over the largest (columns scaled to one length; scale that moves
/// between the modes of a component does not count): near zero, the factors could change a lot
/// without changing L, as where two of them share what is one. For matrices, whose factors are
/// never determined, the smallest singular value of L over the largest. Components that are zero
/// are left out.
double smallest_curvature(const Factors& factors, Rng& rng);

}  // namespace sunder::robust
