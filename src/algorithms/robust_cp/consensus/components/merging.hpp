#pragma once
/// Components that fewer can replace without changing L, since they are parallel in some modes.

#include "algorithms/robust_cp/core/algebra/factors.hpp"

namespace sunder::robust {

/// Components that are parallel in a mode are that vector times a tensor of lower order, which may
/// have fewer components; a matrix has as many as its rank. Returns the same L, perhaps with fewer
/// components.
Factors with_parallel_merged(const Factors& factors);

}  // namespace sunder::robust
