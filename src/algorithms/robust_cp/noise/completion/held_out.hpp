#pragma once
/// Entries that are known, but hidden from a fit, show how well the fit predicts.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// A core with some of its known entries hidden.
struct HeldOut {
  DenseCore core;
  std::vector<Index> hidden;  ///< in ascending order
};

HeldOut hold_out(const DenseCore& core, Rng& rng);

/// Whether the first of two predictions of all entries is clearly nearer to the hidden ones, by
/// squares that are bounded: errors are among these entries.
bool predicts_clearly_better(const DenseCore& core, const std::vector<Index>& hidden,
                             const Entries& first, const Entries& second);

}  // namespace sunder::robust
