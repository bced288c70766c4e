#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust {

Check conditions::search_completed(Evidence& evidence) {
  return Check::passes_if(!evidence.search().cut_short);
}

}  // namespace sunder::robust
