#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// Where the rank was chosen from the data, `exact` is said of the components that were found, and
/// the user is told that S was not searched.
Check sparse_searched(Evidence& evidence) {
  if (evidence.further_component() != FurtherComponent::unknown) return {};
  if (evidence.asked().chosen) return Check::could_not_check();
  return Check::fails(evidence.components(), evidence.asked().rank);
}

}  // namespace sunder::robust::conditions
