#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"

namespace sunder::robust::conditions {

/// Of a rank that was chosen from the data this cannot be asked: it is the number of components
/// that known entries show.
Check missing_hide_nothing(Evidence& evidence) {
  const Index components = evidence.components();
  const bool some_left = components < evidence.asked().rank;
  if (!some_left || evidence.fit().statistics.missing == 0) return {};
  return Check::fails(components, evidence.asked().rank);
}

}  // namespace sunder::robust::conditions
