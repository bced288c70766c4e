#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

Check slices_fitted(Evidence& evidence) { return Check::passes_if_none(evidence.slices().bad); }

}  // namespace sunder::robust::conditions
