#pragma once
/// Whether residuals still have structure: the sign of a component that is missing.

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// The largest singular value of the weighted residuals, over what independent ones would have, in
/// the unfolding where this is largest. About 1 for noise.
double residual_structure(const DenseCore& core, const NoisyFit& fit, Monitor& monitor);

}  // namespace sunder::robust
