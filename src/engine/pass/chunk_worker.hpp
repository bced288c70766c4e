#pragma once
/// The work of one thread: it processes chunk after chunk, tile after tile.

#include <limits>
#include <memory>

#include "engine/pass/found_list.hpp"
#include "engine/pass/pass_plan.hpp"
#include "engine/pass/tile_slices.hpp"

namespace sunder {

inline constexpr Index nowhere = std::numeric_limits<Index>::max();

/// The sums of one chunk. Chunks are added in order afterwards, so that neither the number of
/// threads nor their timing can change a bit.
struct Partial {
  std::vector<RowMatrix>
      mttkrp;  ///< canonical modes; the slowest mode covers only the chunk's rows
  Index first_slow_row = 0;
  kernels::TileSums sums;
  std::unique_ptr<LogHistogram> magnitudes;  ///< null unless requested
  std::vector<SliceStatistics> slices;       ///< as mttkrp; empty unless requested
  FoundList found;
  Index infinite_at = nowhere;

  /// Adds the sums of the next chunk; S is not among them.
  void add(const Partial& next);
};

/// Returns sums of zero for the tiles from `first` to `last`.
template <class Real>
Partial empty_partial(const PassPlan<Real>& plan, const Tile& first, const Tile& last);

/// Owns the buffers of one thread, which are allocated once per pass.
template <class Real>
class ChunkWorker {
 public:
  explicit ChunkWorker(const PassPlan<Real>& plan);
  /// Processes a chunk whose entries lie in `window`. `room` is a list that is no longer needed and
  /// whose memory may be reused.
  Partial run(int chunk, const Window& window, FoundList room);

 private:
  void run_tile(const Tile& tile);
  void describe(const Tile& tile);
  void scale_rows(const Tile& tile, const CanonicalFactors& factors,
                  AlignedBuffer<Real>& out) const;
  void add_contracted(const Tile& tile);
  void flush_columns();
  void find_infinite_entry(const Tile& tile);
  void point_to_found();
  static void inspect(void* self, Index rows, Index columns, const Real* residual, Index width);
  static void make_room(void* self, Index entries);

  const PassPlan<Real>& plan_;
  kernels::TileTask<Real> task_;
  Window window_;
  Partial partial_;
  AlignedBuffer<Real> model_rows_;
  AlignedBuffer<Real> probe_rows_;
  AlignedBuffer<Real> strips_;  ///< widened, residual, kept
  AlignedBuffer<Real> lanes_;
  AlignedBuffer<Real> column_sums_;
  AlignedBuffer<double> contracted_;
  AlignedBuffer<kernels::Lane<Real>> found_columns_;
  AlignedBuffer<Real> found_values_;
  kernels::Found found_;
  TileSlices<Real> slices_;
  Index summed_column_ = 0;   ///< first column of the block that column_sums_ belongs to
  Index summed_columns_ = 0;  ///< their number; 0: nothing to flush
  Index summed_rows_ = 0;
};

}  // namespace sunder
