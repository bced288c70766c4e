#pragma once
/// The order in which a pass walks through a tensor.

#include <algorithm>
#include <array>
#include <vector>

#include "engine/source/source.hpp"

namespace sunder {

/// A matrix-shaped piece of a tensor, small enough for the cache: rows of the second-fastest mode,
/// columns of the fastest one, at one index of every slower mode.
struct Tile {
  ModeIndices outer{};  ///< the index in each slower mode (canonical numbering)
  Index row_begin = 0;
  Index rows = 0;
  Index column_begin = 0;
  Index columns = 0;
};

/// Limits on a tile, so that the tile and the factors it needs stay in the cache.
struct TileLimits {
  Index columns = 1024;  ///< a multiple of 64, so that only the last tile has a ragged edge
  Index rows = 4096;
  Index entries = 32768;
  Index chunk_entries = Index{1} << 20;  ///< what one thread processes at a time, if T is large
};

/// The tensor with its modes renumbered from the slowest in memory to the fastest ("canonical"),
/// cut into tiles, which are assigned to a fixed number of chunks. The cut depends only on the
/// layout and on the limits (thus on rank and precision), never on the number of threads or on
/// where the entries are read from. This is what makes sums reproducible.
class Tiling {
 public:
  /// Uses only the shape, type and strides of the layout.
  explicit Tiling(const TensorView& layout, const TileLimits& limits = {});

  const TensorView& tensor() const { return canonical_; }
  int order() const { return canonical_.order(); }
  /// Returns the mode of the original tensor behind a canonical one.
  int original_mode(int canonical) const { return modes_[canonical]; }
  int chunks() const { return chunks_; }
  /// Chunks are summed in order within groups, and then the groups are summed. Processes that own
  /// whole groups therefore get the same bits as a single process.
  int groups() const { return std::min(chunks_, most_groups); }
  int first_chunk(int group) const { return static_cast<int>(Index{chunks_} * group / groups()); }
  Index block_columns() const { return block_columns_; }
  Index block_rows() const { return block_rows_; }
  Index first_tile(int chunk) const { return tile_count_ * chunk / chunks_; }
  Tile tile(Index number) const;

  /// Returns the range of offsets from the first entry of a chunk to the last. It covers whole rows
  /// of all columns if the layout has no gaps.
  EntryRange entries(int chunk) const;

  /// Arranges another tensor of this shape, such as a mask, in the same modes; offset() finds its
  /// tiles.
  TensorView canonical(const TensorView& other) const;
  static Index offset(const TensorView& canonical, const Tile& tile);

  /// Copies the tile's entries, which lie in the window, widened to double, row by row.
  void read(const Tile& tile, const Window& window, double* out) const;
  /// Returns the position, in C order of the original tensor, of the tile's first entry; row_step()
  /// and column_step() are the steps from there along its rows and columns.
  Index position(const Tile& tile) const;
  Index row_step() const { return position_strides_[order() - 2]; }
  Index column_step() const { return position_strides_[order() - 1]; }
  Index largest_tile() const { return block_rows_ * block_columns_; }

 private:
  static constexpr int most_groups = 64;

  std::array<int, max_order> modes_{};
  TensorView canonical_;
  ModeIndices position_strides_{};
  Index block_rows_ = 0;
  Index block_columns_ = 0;
  Index row_blocks_ = 0;
  Index column_blocks_ = 0;
  Index tile_count_ = 0;
  int chunks_ = 0;
};

}  // namespace sunder
