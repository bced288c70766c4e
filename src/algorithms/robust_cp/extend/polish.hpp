#pragma once
/// Least squares on the inliers of all of T, where they carry noise.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct PolishOptions {
  double sigma = 0;                      ///< of the inliers
  double scale = 1;                      ///< a power of two near the size of T
  Precision precision = Precision::f64;  ///< of the pass
  ModeConstraints constraints = {};
};

/// One Gauss-Newton step on the entries within 3 sigma: one pass.
Factors polished(Engine& engine, Factors factors, const PolishOptions& options, Monitor& monitor);

}  // namespace sunder::robust
