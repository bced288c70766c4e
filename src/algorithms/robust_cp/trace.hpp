#pragma once
/// The lines of a run's trace: one for each core. The pass over T completes the last one.

#include <string_view>

#include "algorithms/robust_cp/certificate/tensor_fit.hpp"
#include "algorithms/robust_cp/noise/noisy_core.hpp"
#include "algorithms/robust_cp/steps.hpp"

namespace sunder::robust {

/// Adds the line of a core.
void record_core(std::string_view stage, const CoreSolution& core, const Meter& meter,
                 RunState& state);

/// A line for the fit of a core under noise.
void record_noise(std::string_view stage, const NoisySolution& solution, const Meter& meter,
                  RunState& state);

/// Completes the last line by what the pass over T found.
void record_sparse(const TensorFit& fit, const Meter& meter, RunState& state);

}  // namespace sunder::robust
