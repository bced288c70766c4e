#include "engine/gather/gather_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

void require_within(Index index, Index extent, int mode) {
  if (index >= 0 && index < extent) return;
  throw InputError(fmt::format("index {} of mode {} is outside 0 .. {}", index, mode, extent - 1));
}

}  // namespace

std::vector<Index> checked_list(std::vector<Index> indices, Index extent, int mode) {
  if (indices.empty()) {
    indices.resize(extent);
    std::iota(indices.begin(), indices.end(), Index{0});
  }
  for (const Index index : indices) require_within(index, extent, mode);
  if (!std::is_sorted(indices.begin(), indices.end())) {
    throw InputError(fmt::format("the indices of mode {} must be sorted", mode));
  }
  return indices;
}

std::vector<std::vector<Index>> checked_lists(const Shape& shape,
                                              const std::vector<std::vector<Index>>& indices,
                                              ScalarType type) {
  const auto order = static_cast<std::size_t>(shape.order());
  if (indices.size() != order) {
    throw InputError(fmt::format("{} lists of indices were given for a tensor of order {}",
                                 indices.size(), order));
  }
  if (type != ScalarType::f64 && type != ScalarType::f32) {
    throw InputError("a sub-tensor is gathered as f64 or f32");
  }
  std::vector<std::vector<Index>> lists;
  for (std::size_t mode = 0; mode < order; ++mode) {
    const int m = static_cast<int>(mode);
    lists.push_back(checked_list(indices[mode], shape[m], m));
  }
  return lists;
}

Shape shape_of(const std::vector<std::vector<Index>>& lists) {
  std::vector<Index> extents;
  for (const auto& list : lists) extents.push_back(std::ssize(list));
  return Shape(std::span<const Index>(extents));
}

Index checked_offset(const TensorView& layout, const ModeIndices& index, int skip) {
  Index offset = 0;
  for (int mode = 0; mode < layout.order(); ++mode) {
    if (mode == skip) continue;
    const Index at = index[mode];
    require_within(at, layout.shape()[mode], mode);
    offset += at * layout.stride(mode);
  }
  return offset;
}

}  // namespace sunder
