#pragma once
/// Components that explain less than they cost.

#include <vector>

#include "algorithms/robust_cp/noise/refine.hpp"

namespace sunder::robust {

/// Leaves out components, those that cost the least first, while the description of the data
/// becomes shorter without them: each unknown costs half the logarithm of the number of entries.
/// Their columns become zero.
void prune(const DenseCore& core, NoisyFit& fit, Monitor& monitor);

/// The components of a matrix are any basis of its rows and columns. Replaces them by singular
/// vectors, of which the least can be left out. Changes nothing in tensors of higher order.
void separate_components(Factors& factors);

/// One or two components whose absence costs the least: for the entries that are inliers now, and
/// if entries may become errors.
std::vector<Index> dispensable_components(const DenseCore& core, const NoisyFit& fit,
                                          Monitor& monitor);

}  // namespace sunder::robust
