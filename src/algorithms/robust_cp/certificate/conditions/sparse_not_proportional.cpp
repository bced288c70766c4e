#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// A core that is a part of T may have no entry of a component that is at work on few of them.
Check sparse_not_proportional(Evidence& evidence) {
  return Check::passes_if(evidence.further_component() != FurtherComponent::shows);
}

}  // namespace sunder::robust::conditions
