#pragma once
/// Least squares on the inliers of all of T, where they carry noise.

#include "algorithms/mode_constraints.hpp"
#include "algorithms/robust_cp/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// One Gauss-Newton step on the entries within 3 sigma: one pass.
Factors polished(Engine& engine, Factors factors, double sigma, Precision precision,
                 const ModeConstraints& constraints, Monitor& monitor);

}  // namespace sunder::robust
