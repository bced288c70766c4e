#pragma once
/// What a gather is asked for, checked.

#include <vector>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// All indices of the mode if the list is empty. Throws InputError unless it is sorted and within
/// the extent.
std::vector<Index> checked_list(std::vector<Index> indices, Index extent, int mode);

/// One list for each mode. Throws InputError, also for a type that cannot be gathered.
std::vector<std::vector<Index>> checked_lists(const Shape& shape,
                                              const std::vector<std::vector<Index>>& indices,
                                              ScalarType type);
Shape shape_of(const std::vector<std::vector<Index>>& lists);

/// Offset of the entry at `index` (0 in the mode `skip`). Throws InputError outside the shape.
Index checked_offset(const TensorView& layout, const ModeIndices& index, int skip = -1);

}  // namespace sunder
