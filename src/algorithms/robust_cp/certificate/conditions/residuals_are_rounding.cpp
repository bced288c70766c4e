#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/core/exact/core_verdict.hpp"

namespace sunder::robust::conditions {

/// Where S is a hundred times larger than L, noise can lie below the level of a single entry, which
/// is relative to the data. So the fitted entries as a whole are compared with L.
Check residuals_are_rounding(Evidence& evidence) {
  const TensorFit& fit = evidence.fit();
  return Check::passes_if(is_fitted_to_rounding(evidence.factors(), fit.statistics,
                                                fit.level / evidence.core().spread));
}

}  // namespace sunder::robust::conditions
