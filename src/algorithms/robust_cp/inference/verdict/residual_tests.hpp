#pragma once
/// Whether noise explains what a model leaves.

#include "algorithms/robust_cp/certificate/noise_evidence.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/inference/error_rates.hpp"

namespace sunder::robust {

/// `z`: residuals over their deviations; `inlier`: P(noise), 0 where an entry is missing.
void test_residuals(const DenseCore& part, const Entries& z, const Entries& inlier,
                    const ErrorRates& rates, NoiseEvidence& evidence);

/// The largest value of a tensor on unit vectors, by alternating least squares from three starts.
double spectral_norm(const Shape& shape, const Entries& entries);

}  // namespace sunder::robust
