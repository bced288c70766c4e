#pragma once
/// Which entries of T the nested solver looks at.

#include "algorithms/robust_cp/dense_core.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::robust {

/// For each mode, the chosen indices in ascending order.
using IndexSets = std::vector<std::vector<Index>>;

/// Extents of a core of about side^order entries: short modes are kept whole, the others grow to
/// keep the volume.
Shape core_shape(const Shape& shape, int rank, Index side);

/// Distinct random indices of each mode.
IndexSets draw_indices(const Shape& shape, const Shape& core, Rng& rng);

/// Every index of one mode, the chosen ones of the others.
IndexSets with_whole_mode(IndexSets sets, int mode, Index extent);

/// T on the product of the index sets. Throws InputError at an infinite entry.
DenseCore gather(const TensorView& tensor, const IndexSets& sets);

}  // namespace sunder::robust
