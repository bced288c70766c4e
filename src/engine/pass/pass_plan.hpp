#pragma once
/// The data that the chunks of a pass share: the tiles, and the factors in the kernels' layout.

#include "engine/pass/column_panels.hpp"
#include "engine/pass/pass.hpp"
#include "engine/pass/tiling.hpp"

namespace sunder {

/// A last mode longer than this is cut, and entries are then not met in order.
inline constexpr Index most_columns_in_order = 65536;

inline bool wants_sparse(const PassRequest& request) {
  return request.collect_sparse || request.sparse_sink;
}

/// Factors in the canonical order of the modes.
struct CanonicalFactors {
  Vector weights;
  std::vector<RowMatrix> matrix;

  Index rank() const { return weights.size(); }
  /// Returns the component-wise product of the weights and the rows of every slower mode but
  /// `skip`: the contribution of the other modes to the tile's two factors.
  Eigen::ArrayXd outer_product(const Tile& tile, int skip = -1) const;
};

template <class Real>
struct PassPlan {
  PassPlan(const TensorView& layout, const PassRequest& asked);

  const PassRequest& request;
  bool stream;  ///< stream_tile does all the work
  Tiling tiling;
  TensorView mask;  ///< canonical; without data if there is no mask
  CanonicalFactors model;
  CanonicalFactors probe;
  ModeSet modes;  ///< canonical modes whose MTTKRP is requested
  ColumnPanels<Real> model_panels;
  ColumnPanels<Real> own_probe_panels;  ///< empty if the probe is the model

  // Which indices are alive (canonical modes); empty unless slices are requested.
  std::vector<std::vector<std::uint8_t>> alive;
  bool all_alive = true;
  AlignedBuffer<kernels::Lane<Real>> column_alive;  ///< all bits or none; none in the padding

  int order() const { return tiling.order(); }
  const Real* probe_panels(Index column) const {
    return request.probe == nullptr ? model_panels.at(column) : own_probe_panels.at(column);
  }
  /// Returns how many of the columns from `begin` on are alive.
  Index alive_columns(Index begin, Index columns) const;
  /// Returns the tile's index in the slowest canonical mode: the row mode of a matrix, an outer
  /// mode otherwise.
  Index slow_row(const Tile& tile) const { return order() == 2 ? tile.row_begin : tile.outer[0]; }

 private:
  void find_alive();
};

}  // namespace sunder
