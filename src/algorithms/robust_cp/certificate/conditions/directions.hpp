#pragma once
/// Whether the fitted entries determine L, however it is split into components.
///
/// A matrix has many factorisations with the same product, and so has a tensor where components are
/// parallel in a mode. There a part of L that is wrong on a corner of the tensor can be spread over
/// all components, and each of them looks sound. L is determined if every *direction* of every row
/// of a factor is. For row i of mode m, with the Khatri-Rao rows k_c of the other modes, that means
///
///     sum over the fitted entries c of (x'k_c)^2  >=  share * sum over the observed ones,   all x,
///
/// which is an r x r eigenvalue problem for each row.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// Whether components could be exchanged for combinations of each other: order 2, or two of them
/// nearly parallel in a mode.
bool components_can_mix(const Factors& factors);

/// Whether some row has both entries that are zero and entries that are not. Such a row is fitted
/// wherever its other entries contribute nothing, whatever they are, and that is no evidence.
bool have_zeros(const Factors& factors);

struct DirectionEvidence {
  int bad = 0;  ///< rows, over all modes, with a direction that too few entries bear out
  double weakest_share = 1;  ///< over rows and directions
};

/// Fibres are drawn where the model is at work, by the leverage of the other modes' rows and by the
/// components. A row is bad where less than max(.05, `share` / 4) of the observed entries of some
/// direction are fitted, or where a direction depends on a single entry: S in one row of a matrix
/// is a component of its own, which fits everything there and is determined by nothing else.
DirectionEvidence examine_directions(Engine& engine, const Factors& factors, double level,
                                     double share, Rng& rng);

}  // namespace sunder::robust
