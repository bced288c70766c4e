#pragma once
/// What a result says about the noise and about the slices.

#include "algorithms/robust_cp/noise/refine.hpp"
#include "algorithms/robust_cp/run_context.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::robust {

/// The noise of a fit of T / scale, in the unit of T.
NoiseEstimate noise_estimate(const NoisyFit& fit, double scale);

/// Fills in the noise, the quality of the slices, and the bad ones among them. `slices` are the
/// sums of the pass that found S.
void store_noise(RunContext& context, const NoisyFit& fit, const std::vector<SliceSums>& slices,
                 Decomposition& result);

}  // namespace sunder::robust
