#pragma once
/// What a pass does with a residual.

#include <cmath>
#include <limits>

namespace sunder {

/// The hard threshold HT_zeta of Algorithm 1: a residual of at least zeta belongs to S, a smaller
/// one is kept for L. An infinite threshold keeps everything.
struct Rule {
  double threshold = std::numeric_limits<double>::infinity();

  static Rule keep_all() { return {}; }
  static Rule hard_threshold(double zeta) { return {zeta}; }

  /// A zero residual is never an outlier, whatever the threshold.
  bool keeps(double residual) const { return std::abs(residual) < threshold || residual == 0; }
};

}  // namespace sunder
