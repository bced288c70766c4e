#pragma once
/// The components of a matrix, chosen to be at work on as few rows as possible.

#include "algorithms/robust_cp/core/algebra/factors.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

/// The same L with components that are zero in as many rows of both modes as possible. The factors
/// of a matrix are known up to an invertible map only, so that a component on a box need not show
/// in them; it must show where components are added, dropped or exchanged. Models of higher order
/// are returned as they are: their components are unique.
Factors with_local_components(const Factors& factors, Rng& rng);

}  // namespace sunder::robust
