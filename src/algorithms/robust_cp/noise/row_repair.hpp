#pragma once
/// Rows that a fit under noise has lost: hardly any of their entries are inliers.

#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// Fits rows of unusually low inlier share anew, each by robust regression on sampled columns, and
/// keeps what has the smaller truncated squares there. Returns how many rows have changed. Factors
/// and noise are those of T / scale.
Index repair_rows(Engine& engine, double scale, const ModeConstraints& constraints, NoisyFit& fit,
                  Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
