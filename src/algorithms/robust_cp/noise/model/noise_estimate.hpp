#pragma once
/// Estimates the noise anew from the sums of a pass.

#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

/// The scales of slices, the dependence on the signal, and the densities. Returns how many nats for
/// each entry a variance that depends on |L| would save, where it does not yet.
double estimate_noise(const LikelihoodSums& sums, Index rank, NoiseModel& noise);

/// The densities alone: p, q, s^2 and f by expectation maximisation on the counts of residuals.
/// Returns - log density for each entry under the new densities.
double estimate_densities(const ResidualCounts& residuals, NoiseModel& noise, int steps);

}  // namespace sunder::robust
