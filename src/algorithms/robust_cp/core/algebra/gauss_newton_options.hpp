#pragma once

namespace sunder::robust {

/// How far a Gauss-Newton step is solved for.
struct GaussNewtonOptions {
  double damping = 0;       ///< relative to the size of the normal matrix
  int max_steps = 25;       ///< of conjugate gradients
  double tolerance = 1e-2;  ///< of its residual, relative to the first
};

}  // namespace sunder::robust
