#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// The regressions that extend the core to T can leave a component zero.
Check no_component_lost(Evidence& evidence) {
  return Check::passes_if(evidence.components() >= components_of(evidence.core().factors));
}

}  // namespace sunder::robust::conditions
