#include "engine/kernels/mixture/mixture_task.hpp"

// Structures of vectors need vectors whose size is known, which those of SVE and RISC-V lack.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/mixture/mixture.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which selects the target.
#include "engine/kernels/mixture/mixture_density-inl.hpp"
#include "engine/kernels/mixture/mixture_ends-inl.hpp"
#include "engine/kernels/mixture/mixture_model-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Chooses the code for what the density needs.
HWY_INLINE void density_of(const MixtureTask& task, MixtureTile& tile, LogProduct& product) {
  const bool wide = task.density->wide > 0;
  if (task.density->grows) {
    wide ? density_tile<true, true>(task, tile, product)
         : density_tile<true, false>(task, tile, product);
  } else {
    wide ? density_tile<false, true>(task, tile, product)
         : density_tile<false, false>(task, tile, product);
  }
}

void run_mixture(const MixtureTask& given) {
  // Copies that nothing else points to stay in registers, whatever is stored.
  const MixtureDensity density = *given.density;
  MixtureTask task = given;
  task.density = &density;
  MixtureTile tile;
  LogProduct product;
  for (tile.row = 0; tile.row < task.rows; tile.row += MixtureTile::most_rows) {
    tile.rows = std::min(MixtureTile::most_rows, task.rows - tile.row);
    for (tile.column = 0; tile.column < task.columns; tile.column += MixtureTile::stride) {
      tile.columns = std::min(MixtureTile::stride, task.columns - tile.column);
      residual_tile(task, tile);
      if (task.has_ends) cut_off_tile(task, tile);
      density_of(task, tile, product);
      count_tile(task, tile);
      gradient_tile(task, tile);
      along_tile(task, tile);
    }
  }
  *task.log_density += product.logarithm();
  for (int b = 0; b < MixtureDensity::signal_bins; ++b) {
    for (int k = 0; k < 4; ++k) {
      task.signal_sums[4 * b + k] += tile.signal[0][b][k] + tile.signal[1][b][k];
    }
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(run_mixture);

void mixture_pass(const MixtureTask& task) { HWY_DYNAMIC_DISPATCH(run_mixture)(task); }

}  // namespace sunder::kernels
#endif  // HWY_ONCE
