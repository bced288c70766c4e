#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// No entry could speak against a model without components.
Check model_not_empty(Evidence& evidence) { return Check::passes_if(norm(evidence.factors()) > 0); }

}  // namespace sunder::robust::conditions
