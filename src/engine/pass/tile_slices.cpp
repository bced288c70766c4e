#include "engine/pass/tile_slices.hpp"

#include <algorithm>
#include <numeric>

namespace sunder {

namespace {

/// Rounds up to whole cache lines, because the kernels load aligned vectors.
Index in_whole_lines(Index size) { return (size + 63) / 64 * 64; }

template <class Real>
kernels::SliceSums<Real> four_parts_of(AlignedBuffer<Real>& buffer) {
  const Index quarter = buffer.size() / 4;
  Real* first = buffer.data();
  return {first, first + quarter, first + 2 * quarter, first + 3 * quarter};
}

template <class Real>
void add_slice(SliceStatistics& to, Index at, const kernels::SliceSums<Real>& from, Index k) {
  const auto i = static_cast<std::size_t>(at);
  to.observed[i] += static_cast<Index>(from.observed[k]);
  to.fitted[i] += static_cast<Index>(from.fitted[k]);
  to.kept[i] += static_cast<Index>(from.kept[k]);
  to.kept_square_sum[i] += static_cast<double>(from.kept_square_sum[k]);
}

void add_count(SliceStatistics& to, Index at, Index observed, Index fitted) {
  to.observed[at] += observed;
  to.fitted[at] += fitted;
}

}  // namespace

template <class Real>
TileSlices<Real>::TileSlices(const PassPlan<Real>& plan, kernels::TileTask<Real>& task)
    : plan_(plan), task_(task) {
  const SliceDetail detail = plan.request.slice_statistics;
  if (detail == SliceDetail::none) return;
  const Index rows = plan.tiling.block_rows();
  const Index width = in_whole_lines(padded<Real>(plan.tiling.block_columns()));
  row_alive_.assign(rows, 1);
  task.row_alive = row_alive_.data();
  task.all_alive = plan.all_alive;
  if (detail == SliceDetail::full) {
    row_sums_ = AlignedBuffer<double>(4 * in_whole_lines(rows));
    column_sums_ = AlignedBuffer<Real>(4 * width);
    task.row_slices = four_parts_of(row_sums_);
    task.column_slices = four_parts_of(column_sums_);
  } else {
    row_counts_.assign(2 * rows, 0);
    column_counts_ = AlignedBuffer<kernels::Lane<Real>>(2 * width);
    task.counts = {row_counts_.data(), row_counts_.data() + rows, column_counts_.data(),
                   column_counts_.data() + width};
  }
}

template <class Real>
bool TileSlices<Real>::outer_alive(const Tile& tile, int skip) const {
  for (int mode = 0; mode + 2 < plan_.order(); ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    if (mode != skip && plan_.alive[at][tile.outer[at]] == 0) {
      return false;
    }
  }
  return true;
}

template <class Real>
void TileSlices<Real>::begin(const Tile& tile) {
  if (row_alive_.empty()) return;
  task_.column_alive = plan_.column_alive.data() + tile.column_begin;
  if (!plan_.all_alive) {
    const bool outer = outer_alive(tile);
    const auto first = plan_.alive[plan_.order() - 2].begin();
    std::transform(first + tile.row_begin, first + tile.row_begin + tile.rows, row_alive_.begin(),
                   [&](std::uint8_t alive) -> std::uint8_t { return outer && alive != 0 ? 1 : 0; });
  }
  alive_rows_ += std::accumulate(row_alive_.begin(), row_alive_.begin() + tile.rows, Index{0});
}

template <class Real>
void TileSlices<Real>::add(const Tile& tile, Index first_slow_row,
                           std::vector<SliceStatistics>& to) {
  if (!row_counts_.empty()) add_counts(tile, first_slow_row, to);
  if (row_sums_.size() > 0) add_full(tile, first_slow_row, to);
}

template <class Real>
void TileSlices<Real>::add_counts(const Tile& tile, Index first_slow_row,
                                  std::vector<SliceStatistics>& to) {
  const int row_mode = plan_.order() - 2;
  const auto& row_alive = plan_.alive[row_mode];
  const bool outer = outer_alive(tile);
  const Index columns = plan_.alive_columns(tile.column_begin, tile.columns);
  const Index first = tile.row_begin - (row_mode == 0 ? first_slow_row : 0);
  Index observed = 0;
  Index fitted = 0;
  for (Index i = 0; i < tile.rows; ++i) {
    const Index seen = columns - task_.counts.row_missing[i];
    const Index fits = task_.counts.row_fitted[i];
    if (outer) add_count(to[row_mode], first + i, seen, fits);
    if (row_alive[tile.row_begin + i] == 0) continue;
    observed += seen;
    fitted += fits;
  }
  for (int mode = 0; mode < row_mode; ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    if (!outer_alive(tile, mode)) continue;
    add_count(to[at], tile.outer[at] - (mode == 0 ? first_slow_row : 0), observed, fitted);
  }
  std::fill(row_counts_.begin(), row_counts_.end(), 0);
}

template <class Real>
void TileSlices<Real>::add_full(const Tile& tile, Index first_slow_row,
                                std::vector<SliceStatistics>& to) {
  const int row_mode = plan_.order() - 2;
  const auto& row_alive = plan_.alive[row_mode];
  for (Index j = 0; j < tile.columns; ++j) {
    add_slice(to.back(), tile.column_begin + j, task_.column_slices, j);
  }
  const bool outer = outer_alive(tile);
  const Index first = tile.row_begin - (row_mode == 0 ? first_slow_row : 0);
  for (Index i = 0; outer && i < tile.rows; ++i) {
    add_slice(to[row_mode], first + i, task_.row_slices, i);
  }
  for (int mode = 0; mode < row_mode; ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    if (!outer_alive(tile, mode)) continue;
    const Index index = tile.outer[at] - (mode == 0 ? first_slow_row : 0);
    for (Index i = 0; i < tile.rows; ++i) {
      if (row_alive[tile.row_begin + i] == 0) continue;
      add_slice(to[at], index, task_.row_slices, i);
    }
  }
  row_sums_.fill_zero();
  column_sums_.fill_zero();
}

template <class Real>
void TileSlices<Real>::flush(Index first_column, Index columns, std::vector<SliceStatistics>& to) {
  if (row_counts_.empty()) return;
  for (Index j = 0; j < columns; ++j) {
    add_count(to.back(), first_column + j, alive_rows_ - Index{task_.counts.column_missing[j]},
              Index{task_.counts.column_fitted[j]});
  }
  column_counts_.fill_zero();
  alive_rows_ = 0;
}

template class TileSlices<double>;
template class TileSlices<float>;

}  // namespace sunder
