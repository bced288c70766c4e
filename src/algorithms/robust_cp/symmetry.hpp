#pragma once
/// Models whose modes share one factor.

#include "algorithms/robust_cp/dense_core.hpp"

namespace sunder::robust {

/// The nearest model, in balanced factors, with one factor for all modes up to the sign of its
/// columns (a negative weight of even order needs it): signs are taken from the model itself, then
/// the modes are averaged. At a symmetric model J'J commutes with permutations of the modes, so
/// averaging a Gauss-Newton step gives the step of the constrained problem.
void tie_modes(Factors& factors);

}  // namespace sunder::robust
