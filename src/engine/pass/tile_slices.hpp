#pragma once
/// Turns the sums of a tile's rows and columns into the statistics of slices.

#include "engine/pass/pass_plan.hpp"

namespace sunder {

/// The buffers of one thread, and the bookkeeping of which indices are alive.
template <class Real>
class TileSlices {
 public:
  /// Makes `task` add to the buffers; does nothing if no slices are requested.
  TileSlices(const PassPlan<Real>& plan, kernels::TileTask<Real>& task);

  /// Call before a tile: determines which of its rows and columns are alive.
  void begin(const Tile& tile);
  /// Call after a tile: adds to the statistics of a chunk whose slowest mode begins at
  /// `first_slow_row`.
  void add(const Tile& tile, Index first_slow_row, std::vector<SliceStatistics>& to);
  /// Call before the block of columns changes, and at the end.
  void flush(Index first_column, Index columns, std::vector<SliceStatistics>& to);

 private:
  void add_counts(const Tile& tile, Index first_slow_row, std::vector<SliceStatistics>& to);
  void add_full(const Tile& tile, Index first_slow_row, std::vector<SliceStatistics>& to);
  /// Returns true if the rows of every slower mode but `skip` are alive.
  bool outer_alive(const Tile& tile, int skip = -1) const;

  const PassPlan<Real>& plan_;
  kernels::TileTask<Real>& task_;
  std::vector<std::uint8_t> row_alive_;
  std::vector<Index> row_counts_;
  AlignedBuffer<kernels::Lane<Real>> column_counts_;
  AlignedBuffer<double> row_sums_;
  AlignedBuffer<Real> column_sums_;
  Index alive_rows_ = 0;  ///< rows counted for the columns since the last flush
};

}  // namespace sunder
