#pragma once
/// The work of one thread: chunk after chunk, tile after tile.

#include <limits>
#include <memory>

#include "engine/pass_plan.hpp"

namespace sunder {

inline constexpr Index nowhere = std::numeric_limits<Index>::max();

/// What one chunk adds up. Chunks are summed in order afterwards, so that neither the number of
/// threads nor their timing can change a bit.
struct Partial {
  std::vector<RowMatrix> mttkrp;  ///< canonical modes; the slowest covers only the chunk's own rows
  Index first_slow_row = 0;
  kernels::TileSums sums;
  std::unique_ptr<LogHistogram> magnitudes;  ///< null unless wanted
  std::vector<SliceStatistics> slices;       ///< as mttkrp; empty unless wanted
  std::vector<Index> positions;
  std::vector<double> values;
  Index infinite_at = nowhere;
};

/// Room for one thread's tiles, made once for a pass.
template <class Real>
class ChunkWorker {
 public:
  explicit ChunkWorker(const PassPlan<Real>& plan);
  Partial run(int chunk);

 private:
  Partial prepared(const Tile& first, const Tile& last) const;
  void run_tile(const Tile& tile);
  void describe(const Tile& tile);
  void scale_rows(const Tile& tile, const SlabFactors& factors, AlignedBuffer<Real>& out) const;
  void add_contracted(const Tile& tile);
  void flush_columns();
  void add_slices(const Tile& tile);
  void look_for_infinity(const Tile& tile);
  static void inspect(void* self, Index first_row, Index rows, Index columns, const Real* residual,
                      Index width, const kernels::Found* found);

  const PassPlan<Real>& plan_;
  kernels::TileTask<Real> task_;
  Partial partial_;
  Tile tile_;
  AlignedBuffer<Real> model_rows_;
  AlignedBuffer<Real> probe_rows_;
  AlignedBuffer<Real> strips_;  ///< widened, residual, kept
  AlignedBuffer<Real> lanes_;
  AlignedBuffer<Real> column_sums_;
  AlignedBuffer<double> contracted_;
  AlignedBuffer<double> row_slices_;
  AlignedBuffer<Real> column_slices_;
  std::vector<std::int32_t> found_at_;
  std::vector<double> found_values_;
  kernels::Found found_;
  Index summed_column_ = 0;   ///< first column of the block that column_sums_ belongs to
  Index summed_columns_ = 0;  ///< how many; 0: nothing to flush
  Index summed_rows_ = 0;
};

}  // namespace sunder
