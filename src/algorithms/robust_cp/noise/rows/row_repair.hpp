#pragma once
/// Rows that a fit under noise has lost: another row explains clearly more of their entries.

#include "algorithms/robust_cp/noise/rows/noisy_extension.hpp"

namespace sunder::robust {

/// Fits every row anew, each by robust regression on sampled columns, and keeps what explains more
/// of these by several entries. Returns how many rows have changed.
Index repair_rows(const RowSource& source, NoisyFit& fit, Rng& rng, Monitor& monitor);

}  // namespace sunder::robust
