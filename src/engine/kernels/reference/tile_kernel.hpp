#pragma once
/// The work on one tile, as plain matrix algebra: the oracle for anything faster.

#include <vector>

#include "engine/pass.hpp"
#include "engine/tiling.hpp"

namespace sunder::reference {

/// Row-major view of a tile's entries.
using TileMatrix =
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Factors in the canonical order of the modes.
struct Factors {
  Vector weights;
  std::vector<Matrix> matrix;

  /// Component-wise product of the weights and the rows of every slower mode but `skip`: what the
  /// rest of the tensor multiplies the tile's two factors with.
  Eigen::ArrayXd outer_product(const Tile& tile, int skip = -1) const;
};

/// tile -= L on the tile. Flops: 2 r per entry.
void subtract_model(const Factors& model, const Tile& tile, TileMatrix values);

/// mttkrp[m] += the tile's share, for each canonical mode in `modes`; values holds the kept
/// residual. Flops: 2 r per entry for the first mode, 4 r for any number of them.
void accumulate_mttkrp(const Factors& probe, const Tile& tile, const TileMatrix& values,
                       ModeSet modes, std::vector<Matrix>& mttkrp, Index first_slow_row);

}  // namespace sunder::reference
