#pragma once
/// Steps of a robust fit with weights of Geman and McClure.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// One damped Gauss-Newton step under the weights (1 + (R / scale)^2)^-2, for which one scalar
/// stands in the normal equations. Returns by which share of itself L changed.
double descend(const DenseCore& core, double scale, double damping, Factors& factors,
               Monitor& monitor);

}  // namespace sunder::robust
