#pragma once
/// Whether residuals that count as rounding have the signs of a component.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// The largest singular value of the signs of C - L on the entries that L fits to `level`, over
/// what independent signs would have, in the unfolding where this is largest. It is about 1 for
/// noise, whatever its size is from entry to entry. The signs of a component are a component.
double structure_of_signs(const DenseCore& core, const Factors& factors, double level);

}  // namespace sunder::robust
