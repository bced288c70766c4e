#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust {

Check conditions::nothing_hides(Evidence& evidence) {
  if (!evidence.search().may_lack) return {};
  return Check::fails(evidence.components(), evidence.asked().rank);
}

}  // namespace sunder::robust
