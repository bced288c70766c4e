#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"

namespace sunder::robust::conditions {

Check nothing_missing(const PassStatistics& data) { return Check::passes_if_none(data.missing); }

}  // namespace sunder::robust::conditions
