#include "engine/tiling.hpp"

#include <algorithm>
#include <cassert>

namespace sunder {

namespace {

// A tile of doubles and its residual stay in a 256 KiB second-level cache.
constexpr Index tile_entries = 8192;
constexpr Index widest_tile = 1024;
// Enough chunks to keep many threads busy, few enough that their partial sums stay small.
constexpr Index most_chunks = 32;

Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

Tiling::Tiling(const TensorView& tensor) : modes_(tensor.modes_by_stride()) {
  assert(tensor.order() >= min_order);
  const auto order = static_cast<std::size_t>(tensor.order());
  canonical_ = tensor.permuted(std::span<const int>(modes_.data(), order));
  const ModeIndices c_strides = contiguous_strides(tensor.shape(), StorageOrder::c);
  for (std::size_t mode = 0; mode < order; ++mode) {
    position_strides_[mode] = c_strides[static_cast<std::size_t>(modes_[mode])];
  }
  const Shape& shape = canonical_.shape();
  const Index rows = shape[tensor.order() - 2];
  const Index columns = shape[tensor.order() - 1];
  block_columns_ = std::min(columns, widest_tile);
  block_rows_ = std::clamp<Index>(tile_entries / block_columns_, 1, rows);
  row_blocks_ = ceil_div(rows, block_rows_);
  column_blocks_ = ceil_div(columns, block_columns_);
  tile_count_ = shape.entries() / (rows * columns) * row_blocks_ * column_blocks_;
  chunks_ = static_cast<int>(std::min(tile_count_, most_chunks));
}

Tile Tiling::tile(Index number) const {
  const Shape& shape = canonical_.shape();
  Tile tile;
  tile.column_begin = number % column_blocks_ * block_columns_;
  number /= column_blocks_;
  tile.row_begin = number % row_blocks_ * block_rows_;
  number /= row_blocks_;
  for (int mode = order() - 3; mode >= 0; --mode) {
    tile.outer[static_cast<std::size_t>(mode)] = number % shape[mode];
    number /= shape[mode];
  }
  tile.rows = std::min(block_rows_, shape[order() - 2] - tile.row_begin);
  tile.columns = std::min(block_columns_, shape[order() - 1] - tile.column_begin);
  return tile;
}

namespace {

/// Index of each mode of the tile's first entry.
ModeIndices corner(const Tile& tile, int order) {
  ModeIndices index = tile.outer;
  index[static_cast<std::size_t>(order - 2)] = tile.row_begin;
  index[static_cast<std::size_t>(order - 1)] = tile.column_begin;
  return index;
}

}  // namespace

void Tiling::read(const Tile& tile, double* out) const {
  const ModeIndices index = corner(tile, order());
  Index offset = 0;
  for (int mode = 0; mode < order(); ++mode) {
    offset += index[static_cast<std::size_t>(mode)] * canonical_.stride(mode);
  }
  const Index row_stride = canonical_.stride(order() - 2);
  const Index column_stride = canonical_.stride(order() - 1);
  with_scalar_type(canonical_.type(), [&]<class T>() {
    const T* first = canonical_.typed<T>() + offset;
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
