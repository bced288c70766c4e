#include "engine/pass/tiling.hpp"

#include <algorithm>
#include <cassert>

namespace sunder {

namespace {

// Enough chunks to keep many threads busy, few enough that their partial sums cost little. Tensors
// whose chunks would hold too many entries of S have more.
constexpr Index usual_chunks = 64;

Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

Tiling::Tiling(const TensorView& layout, const TileLimits& limits)
    : modes_(layout.modes_by_stride()) {
  assert(layout.order() >= min_order);
  const auto order = static_cast<std::size_t>(layout.order());
  canonical_ = layout.permuted(std::span<const int>(modes_.data(), order));
  const ModeIndices c_strides = contiguous_strides(layout.shape(), StorageOrder::c);
  for (std::size_t mode = 0; mode < order; ++mode) {
    position_strides_[mode] = c_strides[modes_[mode]];
  }
  const Shape& shape = canonical_.shape();
  const Index rows = shape[layout.order() - 2];
  const Index columns = shape[layout.order() - 1];
  block_columns_ = std::min(columns, limits.columns);
  // Strips of three rows and of four rows both divide twelve.
  const Index fitting = std::min(limits.entries / block_columns_, limits.rows) / 12 * 12;
  block_rows_ = std::min(std::max<Index>(fitting, 12), rows);
  row_blocks_ = ceil_div(rows, block_rows_);
  column_blocks_ = ceil_div(columns, block_columns_);
  tile_count_ = shape.entries() / (rows * columns) * row_blocks_ * column_blocks_;
  const Index chunks = std::max(usual_chunks, shape.entries() / limits.chunk_entries);
  chunks_ = static_cast<int>(std::min(tile_count_, chunks));
}

Tile Tiling::tile(Index number) const {
  const Shape& shape = canonical_.shape();
  Tile tile;
  tile.column_begin = number % column_blocks_ * block_columns_;
  number /= column_blocks_;
  tile.row_begin = number % row_blocks_ * block_rows_;
  number /= row_blocks_;
  for (int mode = order() - 3; mode >= 0; --mode) {
    tile.outer[mode] = number % shape[mode];
    number /= shape[mode];
  }
  tile.rows = std::min(block_rows_, shape[order() - 2] - tile.row_begin);
  tile.columns = std::min(block_columns_, shape[order() - 1] - tile.column_begin);
  return tile;
}

namespace {

/// Returns the index, in each mode, of the tile's first entry.
ModeIndices corner(const Tile& tile, int order) {
  ModeIndices index = tile.outer;
  index[order - 2] = tile.row_begin;
  index[order - 1] = tile.column_begin;
  return index;
}

}  // namespace

TensorView Tiling::canonical(const TensorView& other) const {
  return other.permuted(std::span<const int>(modes_.data(), static_cast<std::size_t>(order())));
}

Index Tiling::offset(const TensorView& canonical, const Tile& tile) {
  const ModeIndices index = corner(tile, canonical.order());
  Index offset = 0;
  for (int mode = 0; mode < canonical.order(); ++mode) {
    offset += index[mode] * canonical.stride(mode);
  }
  return offset;
}

EntryRange Tiling::entries(int chunk) const {
  Tile first = tile(first_tile(chunk));
  Tile last = tile(first_tile(chunk + 1) - 1);
  first.column_begin = 0;
  last.column_begin = 0;
  last.row_begin += last.rows - 1;
  return {offset(canonical_, first), offset(canonical_, last) + canonical_.shape()[order() - 1] *
                                                                    canonical_.stride(order() - 1)};
}

void Tiling::read(const Tile& tile, const Window& window, double* out) const {
  const Index first_entry = offset(canonical_, tile) - window.first;
  const Index row_stride = canonical_.stride(order() - 2);
  const Index column_stride = canonical_.stride(order() - 1);
  with_scalar_type(canonical_.type(), [&]<class T>() {
    const T* first = static_cast<const T*>(window.data) + first_entry;
    for (Index i = 0; i < tile.rows; ++i) {
      const T* row = first + i * row_stride;
      for (Index j = 0; j < tile.columns; ++j) {
        *out++ = static_cast<double>(row[j * column_stride]);
      }
    }
  });
}

Index Tiling::position(const Tile& tile) const {
  const ModeIndices index = corner(tile, order());
  Index position = 0;
  for (std::size_t mode = 0; mode < static_cast<std::size_t>(order()); ++mode) {
    position += index[mode] * position_strides_[mode];
  }
  return position;
}

}  // namespace sunder
