#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// The solver of the core searches its outliers where components are left over (outliers.hpp).
Check core_complete(Evidence& evidence) { return Check::passes_if(evidence.core().whole); }

}  // namespace sunder::robust::conditions
