#pragma once
/// Components that explain less than they cost.

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// Leaves out components, the smallest first, while the description of the data becomes shorter
/// without them: each unknown costs half the logarithm of the number of entries. Their columns
/// become zero.
void prune(const DenseCore& core, NoisyFit& fit, Monitor& monitor);

}  // namespace sunder::robust
