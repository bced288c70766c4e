#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust {

Check conditions::no_equal_model(Evidence& evidence) {
  return Check::passes_if_none(evidence.search().ties);
}

}  // namespace sunder::robust
