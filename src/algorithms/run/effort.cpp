#include "algorithms/run/effort.hpp"

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder {

double EffortMeter::flops() const {
  return offset_.flops + (monitor_ != nullptr ? monitor_->flops() : 0);
}

Effort EffortMeter::in_this_run() const {
  return {engine_.passes() + passes_elsewhere_, engine_.gathered_entries(), engine_.bytes_read(),
          monitor_ != nullptr ? monitor_->flops() : 0, clock_.seconds()};
}

}  // namespace sunder
