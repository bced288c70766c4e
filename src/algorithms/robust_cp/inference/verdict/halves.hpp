#pragma once
/// Fits of two random halves of the entries, each from a cold start and from the fit of all:
/// whether they have the same components, as precisely as standard errors predict.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/certificate/noise_evidence.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder::robust {

/// `model` is that of `fit`, normalised, with the standard errors of its factors, and `z` are the
/// residuals of all entries over their deviations.
void test_halves(const DenseCore& part, const NoisyFit& fit, const CpModel& model,
                 const std::vector<Matrix>& errors, const Entries& z,
                 const ModeConstraints& constraints, Rng& rng, Monitor& monitor,
                 NoiseEvidence& evidence);

}  // namespace sunder::robust
