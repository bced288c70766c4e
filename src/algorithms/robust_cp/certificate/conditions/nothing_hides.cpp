#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust {

Check conditions::nothing_hides(Evidence& evidence) {
  return Check::passes_if(!evidence.search().may_lack);
}

}  // namespace sunder::robust
