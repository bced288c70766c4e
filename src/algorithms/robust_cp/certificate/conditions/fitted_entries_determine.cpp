#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// The solver of the core asks (determinacy.hpp), since it tries fewer components where they do
/// not.
Check fitted_entries_determine(Evidence& evidence) {
  return Check::passes_if(evidence.core().determinacy != Determinacy::open_on_fitted);
}

}  // namespace sunder::robust::conditions
