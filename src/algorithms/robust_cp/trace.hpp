#pragma once
/// The lines of a run's trace: one for each core, the last one completed by what T says of it.

#include <string_view>

#include "algorithms/robust_cp/certificate/verification.hpp"
#include "algorithms/robust_cp/steps.hpp"

namespace sunder::robust {

void record_core(std::string_view stage, const CoreSolution& core, const Meter& meter,
                 Standing& now);

void record_survey(const Verification& seen, const Meter& meter, Standing& now);

}  // namespace sunder::robust
