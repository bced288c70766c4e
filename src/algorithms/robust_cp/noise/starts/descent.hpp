#pragma once
/// Steps of a robust fit with weights of Geman and McClure.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// One damped Gauss-Newton step under the weights (1 + (R / scale)^2)^-2, for which one scalar
/// stands in the normal equations. Returns by which share of itself L changed.
double descend(const DenseCore& core, double scale, double damping, Factors& factors,
               Monitor& monitor);

/// A quantile of |R|, over all entries or over those where |L| is large, whichever is more. Of
/// peaks and sparse factors most entries are zero: their residuals say nothing about the fit of the
/// others.
double telling_quantile(const Entries& R, const Entries& L, double q);

}  // namespace sunder::robust
