#pragma once
/// The robust fit of a core by graduated non-convexity.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

struct GraduatedOptions {
  int surplus = 0;  ///< components beyond the rank at the start; pruned on the way
  /// The first scale is at most this many lower quartiles of |residual|.
  double start_width = levels::ladder::cheap_width;
};

/// Geman-McClure weights whose scale shrinks towards the inliers, then a hard threshold down to
/// rounding. Returns balanced factors of the given rank.
Factors graduated_fit(const DenseCore& core, int rank, const GraduatedOptions& options, Rng& rng,
                      Monitor& monitor);

}  // namespace sunder::robust
