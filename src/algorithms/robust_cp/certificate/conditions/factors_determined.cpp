#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// The curvature of the fit, the smallest eigenvalue of J'J over the largest, says so. Where
/// several components share what fewer could do, some change of the factors leaves L as it is.
Check factors_determined(Evidence& evidence) {
  return evidence.core().determinacy == Determinacy::open_factors ? Check::could_not_check()
                                                                  : Check{};
}

}  // namespace sunder::robust::conditions
