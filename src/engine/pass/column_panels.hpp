#pragma once
/// Column factors and column sums in the kernels' layout (kernels/tile_task.hpp).

#include <algorithm>

#include "engine/kernels/tile_kernel.hpp"
#include "engine/pass/aligned_buffer.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rounds a number of columns up to whole vectors.
template <class Real>
Index padded(Index columns) {
  const Index lanes = kernels::vector_lanes<Real>();
  return (columns + lanes - 1) / lanes * lanes;
}

/// Calls visit(position, column, component, columns) for each row of each panel of a block: its
/// position in the panels, its first column in the block, and its number of columns without
/// padding.
template <class Real, class Visit>
void for_each_panel_row(Index columns, Index rank, bool wide, Visit&& visit) {
  const Index width = padded<Real>(columns);
  const Index panel = wide ? width : kernels::panel_vectors * kernels::vector_lanes<Real>();
  Index position = 0;
  for (Index begin = 0; begin < width; begin += panel) {
    const Index here = std::min(panel, width - begin);
    for (Index k = 0; k < rank; ++k, position += here) {
      visit(position, begin, k, std::min(here, columns - begin));
    }
  }
}

/// A copy of a column factor, cut into panels.
template <class Real>
class ColumnPanels {
 public:
  ColumnPanels() = default;
  /// `wide`: one panel for each block of columns. All blocks but the last consist of whole panels.
  ColumnPanels(const RowMatrix& factor, Index block_columns, bool wide)
      : rank_(factor.cols()), values_(padded<Real>(factor.rows()) * factor.cols()) {
    for (Index first = 0; first < factor.rows(); first += block_columns) {
      Real* block = values_.data() + first * rank_;
      const Index columns = std::min(block_columns, factor.rows() - first);
      for_each_panel_row<Real>(
          columns, rank_, wide, [&](Index position, Index column, Index k, Index count) {
            for (Index j = 0; j < count; ++j) {
              block[position + j] = static_cast<Real>(factor(first + column + j, k));
            }
          });
    }
  }
  /// Returns the panels of the block that begins at a column.
  const Real* at(Index column) const { return values_.data() + column * rank_; }

 private:
  Index rank_ = 0;
  AlignedBuffer<Real> values_;
};

}  // namespace sunder
