#pragma once
/// A model that obeys the constraints and fits as well as it can under them.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// The balanced model, made to obey; nothing where there are no constraints.
void impose(const ModeConstraints& constraints, Factors& factors);

/// From a model that was found without them: imposes the constraints, then lowers the truncated
/// squares of the residual, at three times `sigma`, by projected Gauss-Newton steps (Bertsekas
/// 1982). A model that obeys already hardly moves.
void constrain(const DenseCore& core, const ModeConstraints& constraints, double sigma,
               Factors& factors, Monitor& monitor);

}  // namespace sunder::robust
