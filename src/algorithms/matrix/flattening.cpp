#include "algorithms/matrix/flattening.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace sunder {

namespace {

std::vector<int> all_but(int order, int skip) {
  std::vector<int> modes;
  for (int mode = 0; mode < order; ++mode) {
    if (mode != skip) modes.push_back(mode);
  }
  return modes;
}

/// Groups all modes but one. The rows come first in the result, wherever their mode was.
TensorView grouped_around(const TensorView& tensor, int row_mode, std::span<const int> others) {
  const TensorView grouped = tensor.grouped(others);
  const std::array<int, 2> rows_first{row_mode == 0 ? 0 : 1, row_mode == 0 ? 1 : 0};
  return grouped.permuted(rows_first);
}

/// Whether the modes, given slowest first, are contiguous in memory like a single mode.
bool lie_together(const TensorView& tensor, std::span<const int> slowest_first) {
  int outer = -1;
  for (const int mode : slowest_first) {
    if (tensor.shape()[mode] == 1) continue;
    if (outer >= 0 && tensor.stride(outer) != tensor.stride(mode) * tensor.shape()[mode]) {
      return false;
    }
    outer = mode;
  }
  return true;
}

}  // namespace

Shape FlatteningLayout::matrix_shape() const {
  return {shape[row_mode], shape.entries() / shape[row_mode]};
}

Index FlatteningLayout::position(Index row, Index column) const {
  const ModeIndices strides = contiguous_strides(shape, StorageOrder::c);
  Index position = row * strides[row_mode];
  for (std::size_t k = column_modes.size(); k-- > 0;) {
    const int mode = column_modes[k];
    position += column % shape[mode] * strides[mode];
    column /= shape[mode];
  }
  return position;
}

Flattening::Flattening(const TensorView& tensor, int row_mode)
    : layout_{tensor.shape(), row_mode, all_but(tensor.order(), row_mode)} {
  std::vector<int> by_stride = layout_.column_modes;
  std::stable_sort(by_stride.begin(), by_stride.end(), [&](int a, int b) {
    return std::abs(tensor.stride(a)) > std::abs(tensor.stride(b));
  });
  if (lie_together(tensor, by_stride)) {
    matrix_ = grouped_around(tensor, row_mode, layout_.column_modes);
    layout_.column_modes = std::move(by_stride);  // the group's index runs in storage order
    return;
  }
  std::vector<int> rows_first = layout_.column_modes;
  rows_first.insert(rows_first.begin(), row_mode);
  copy_ = copy_of(tensor.permuted(rows_first));
  matrix_ = TensorView(copy_.data(), copy_.type(), layout_.matrix_shape());
}

ModeIndices SliceLayout::corner(Index slice) const {
  ModeIndices index{};
  for (int mode = shape.order() - 1; mode >= 0; --mode) {
    if (mode == modes[0] || mode == modes[1]) continue;
    index[mode] = slice % shape[mode];
    slice /= shape[mode];
  }
  return index;
}

Index SliceLayout::position(Index slice, Index row, Index column) const {
  ModeIndices index = corner(slice);
  index[modes[0]] = row;
  index[modes[1]] = column;
  return shape.linear(
      std::span<const Index>(index.data(), static_cast<std::size_t>(shape.order())));
}

TensorView slice_view(const TensorView& tensor, const SliceLayout& layout, Index slice) {
  const ModeIndices corner = layout.corner(slice);
  Index offset = 0;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    offset += corner[mode] * tensor.stride(mode);
  }
  const auto* first = static_cast<const std::byte*>(tensor.data()) +
                      offset * static_cast<Index>(size_of(tensor.type()));
  const ModeIndices strides{tensor.stride(layout.modes[0]), tensor.stride(layout.modes[1])};
  return {first, tensor.type(), layout.slice_shape(), strides};
}

}  // namespace sunder
