#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/certificate/rounding.hpp"

namespace sunder::robust::conditions {

/// Beside noise, however small, a model of too few components can fit what they leave.
Check residuals_are_rounding(Evidence& evidence) {
  return Check::passes_if(fits_to_rounding(evidence.engine(), evidence.factors(),
                                           evidence.fit().level, evidence.rng()));
}

}  // namespace sunder::robust::conditions
