#pragma once
/// An exact core is brought down to rounding.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/core_solution.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Gauss-Newton on the inliers, which are known by then. Components that are nothing but rounding
/// become zero.
void sharpen(const DenseCore& core, const ModeConstraints& constraints, CoreSolution& solution,
             Monitor& monitor);

/// Components that only together mean something (a rank above the true one) are made such that
/// regressions on the other modes give them back: each factor is projected onto what the others can
/// tell apart, which does not change L.
void settle_surplus(Factors& factors);

}  // namespace sunder::robust
