#pragma once
/// Whether several entries determine every direction of every row of a factor.
///
/// A matrix has many factorisations with the same product, and so has a tensor where components are
/// parallel in a mode. S in one row of a matrix, for example, is a component of its own, which fits
/// everything there and is determined by nothing else: in the other mode each row has a direction
/// that depends on a single entry. The leverage of the fitted entries shows that.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// Whether components could be exchanged for combinations of each other: order 2, or two of them
/// nearly parallel in a mode.
bool components_can_mix(const Factors& factors);

/// Whether some row has both entries that are zero and entries that are not. Such a row is fitted
/// wherever its other entries contribute nothing, whatever they are, and that is no evidence.
bool have_zeros(const Factors& factors);

/// Rows, over all modes, with a direction that depends on a single fitted entry. Fibres are drawn
/// where the model is at work, by the leverage of the other modes' rows and by the components.
Index rows_on_one_entry(Engine& engine, const Factors& factors, double level, Rng& rng);

}  // namespace sunder::robust
