#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"

namespace sunder::robust::conditions {

Check every_entry_zero(const PassStatistics& data) { return Check::passes_if(data.data_max == 0); }

}  // namespace sunder::robust::conditions
