#pragma once
/// A damped Gauss-Newton step for all factors at once, solved on the r x r Grams alone.

#include "algorithms/robust_cp/core/algebra/gauss_newton_options.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// (J'J + mu I) delta = gradient, by conjugate gradients with the block-diagonal of J'J as
/// preconditioner. J is the Jacobian of the factors -> L; J'J needs Grams only, no pass over data.
/// Where `free` is given, entries that are 0 there stay where they are.
Factors gauss_newton_step(const Factors& factors, const Factors& gradient,
                          const GaussNewtonOptions& options, const Factors* free = nullptr);

/// The same with the inliers themselves, |R| < threshold, instead of their share: J'WJ delta =
/// J'WR. Each step of conjugate gradients is a pass over the core.
Factors weighted_gauss_newton_step(const DenseCore& core, const Factors& factors, double threshold,
                                   const GaussNewtonOptions& options, Monitor& monitor);

/// The step of Levenberg and Marquardt on all observed entries: (J'WJ + mu I) delta = J'WR, with mu
/// relative to the largest diagonal entry of J'J.
Factors damped_step(const DenseCore& core, const Factors& factors, double damping,
                    const GaussNewtonOptions& options, Monitor& monitor);

}  // namespace sunder::robust
