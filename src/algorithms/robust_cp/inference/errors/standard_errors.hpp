#pragma once
/// Standard errors of L, its factors and weights from the sandwich covariance
///
///     C = (H + Z Z')^-1 V (H + Z Z')^-1,   H = b J'(W / v) J,   V = J' diag(psi^2) J n / (n - p),
///
/// where psi are the scores, b is their relative slope (score_slope.hpp), n the inliers, p the
/// unknowns, and Z spans the changes of factors that leave L as it is.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/inference/errors/normal_equations.hpp"
#include "sunder/algorithms/inference.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder::robust {

/// The factors that the covariance is about: each column times the d-th root of its weight. A
/// negative weight is in the first one.
Factors scaled_factors(const CpModel& model);

/// `equations` are those of `scaled_factors(model)`, whose sums it uses up.
StandardErrors standard_errors(const CpModel& model, const ModeConstraints& constraints,
                               NormalEquations& equations, double slope);

}  // namespace sunder::robust
