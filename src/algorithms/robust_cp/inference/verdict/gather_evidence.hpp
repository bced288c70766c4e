#pragma once
/// Gathers the evidence for a verdict under noise on a part of the tensor.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/certificate/noise_evidence.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// `fit`: factors and noise of the rows of the part.
NoiseEvidence gather_evidence(const DenseCore& part, const NoisyFit& fit,
                              const ModeConstraints& constraints, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
