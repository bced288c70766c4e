#pragma once
/// Statistics of a core: its unit, and the residuals that tell something about L.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

/// Entries that tell something about L: observed, and non-zero where exact zeros are common (rows
/// that are zero in T say nothing about the others).
std::vector<Index> informative(const DenseCore& core);

/// At most some ten thousand of them, evenly: enough for a quantile.
std::vector<Index> thinned(std::vector<Index> entries);

/// 1.4826 times the median absolute deviation of the informative entries; where most of them are
/// equal, the size of those.
double spread(const DenseCore& core, const std::vector<Index>& informative);

/// The median of the data at some entries.
double median_at(const DenseCore& core, const std::vector<Index>& entries);

/// |C - L| at some entries.
std::vector<double> magnitudes_at(const DenseCore& core, const Factors& factors,
                                  const std::vector<Index>& entries);

}  // namespace sunder::robust
