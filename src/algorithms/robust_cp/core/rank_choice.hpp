#pragma once
/// How many components the data have.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct RankChoice {
  int rank = 1;
  bool exact =
      false;  ///< a model of this rank fits the core to rounding, and none of lower rank does
};

/// Ranks 1, 2, 4, ... up to `most` on one core, then bisection: the smallest rank whose fit is
/// exact, or, where none is (noise), the smallest whose truncated loss is within 3% of the best.
RankChoice choose_rank(const DenseCore& core, int most, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
