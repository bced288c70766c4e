#pragma once
/// Validation of the indices that a gather is given.

#include <vector>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Returns the list, or all indices of the mode if the list is empty. Throws InputError unless the
/// list is sorted and within the extent.
std::vector<Index> checked_list(std::vector<Index> indices, Index extent, int mode);

/// Returns one checked list for each mode. Also throws InputError for a type that cannot be
/// gathered.
std::vector<std::vector<Index>> checked_lists(const Shape& shape,
                                              const std::vector<std::vector<Index>>& indices,
                                              ScalarType type);
Shape shape_of(const std::vector<std::vector<Index>>& lists);

/// Returns the offset of the entry at `index`, with index 0 in the mode `skip`. Throws InputError
/// outside the shape.
Index checked_offset(const TensorView& layout, const ModeIndices& index, int skip = -1);

}  // namespace sunder
