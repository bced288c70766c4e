#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// The solver of the core asks (signs.hpp). Whatever else is not determined fails here, too.
Check signs_determined(Evidence& evidence) {
  return Check::passes_if(evidence.core().determines_low_rank());
}

}  // namespace sunder::robust::conditions
