#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// Some row fits any r entries, errors or not.
Check slices_known(Evidence& evidence) { return Check::passes_if_none(evidence.slices().unknown); }

}  // namespace sunder::robust::conditions
