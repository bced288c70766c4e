#include "engine/kernels/reference/tile_kernel.hpp"

namespace sunder::reference {

Eigen::ArrayXd Factors::outer_product(const Tile& tile, int skip) const {
  Eigen::ArrayXd product = weights.array();
  for (int mode = 0; mode + 2 < static_cast<int>(matrix.size()); ++mode) {
    if (mode == skip) continue;
    const auto at = static_cast<std::size_t>(mode);
    product *= matrix[at].row(tile.outer[at]).transpose().array();
  }
  return product;
}

void subtract_model(const Factors& model, const Tile& tile, TileMatrix values) {
  const auto order = model.matrix.size();
  const Matrix rows = model.matrix[order - 2].middleRows(tile.row_begin, tile.rows) *
                      model.outer_product(tile).matrix().asDiagonal();
  const auto columns = model.matrix[order - 1].middleRows(tile.column_begin, tile.columns);
  if (columns.cols() > 0) values.noalias() -= rows * columns.transpose();
}

void accumulate_mttkrp(const Factors& probe, const Tile& tile, const TileMatrix& values,
                       ModeSet modes, std::vector<Matrix>& mttkrp, Index first_slow_row) {
  const auto order = probe.matrix.size();
  const std::size_t row_mode = order - 2;
  const std::size_t column_mode = order - 1;
  const auto rows = probe.matrix[row_mode].middleRows(tile.row_begin, tile.rows);
  const auto columns = probe.matrix[column_mode].middleRows(tile.column_begin, tile.columns);
  const auto start = [&](std::size_t mode, Index at) {
    return mode == 0 ? at - first_slow_row : at;
  };

  if (modes[column_mode]) {
    mttkrp[column_mode].middleRows(start(column_mode, tile.column_begin), tile.columns) +=
        values.transpose() * rows * probe.outer_product(tile).matrix().asDiagonal();
  }
  ModeSet others = modes;
  others.reset(column_mode);
  if (others.none()) return;
  const Matrix contracted = values * columns;  // rows x r, shared by every other mode
  if (modes[row_mode]) {
    mttkrp[row_mode].middleRows(start(row_mode, tile.row_begin), tile.rows) +=
        contracted * probe.outer_product(tile).matrix().asDiagonal();
  }
  for (std::size_t mode = 0; mode < row_mode; ++mode) {
    if (!modes[mode]) continue;
    mttkrp[mode].row(start(mode, tile.outer[mode])) +=
        ((contracted.array() * rows.array()).colwise().sum() *
         probe.outer_product(tile, static_cast<int>(mode)).transpose())
            .matrix();
  }
}

}  // namespace sunder::reference
