// The part of the mixture pass for entries that were cut off: few, so that they are taken one by
// one.

#if defined(SUNDER_ENGINE_MIXTURE_ENDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MIXTURE_ENDS_INL_HPP
#undef SUNDER_ENGINE_MIXTURE_ENDS_INL_HPP
#else
#define SUNDER_ENGINE_MIXTURE_ENDS_INL_HPP
#endif

#include "engine/kernels/mixture/cut_off.hpp"
#include "engine/kernels/mixture/mixture_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// The residual of an entry at an end becomes the mean of the noise beyond that end.
HWY_INLINE void cut_off_tile(const MixtureTask& task, MixtureTile& tile) {
  const MixtureDensity& density = *task.density;
  for (Index i = 0; i < tile.rows; ++i) {
    const double* values = task.values + (tile.row + i) * task.columns + tile.column;
    for (Index j = 0; j < tile.columns; ++j) {
      const bool is_low = values[j] <= task.lowest;
      if (!is_low && !(values[j] >= task.highest)) continue;
      const Index at = i * MixtureTile::stride + j;
      if (!(tile.seen[at] > 0)) continue;
      const double x = tile.x[at];
      const double growth = density.grows ? 1 + x * (static_cast<double>(density.growth[0]) +
                                                     x * static_cast<double>(density.growth[1]))
                                          : 1;
      const double root = std::min<double>(
          task.row_roots[tile.row + i] * task.column_roots[tile.column + j] / std::sqrt(growth),
          density.most_root);
      const double sign = is_low ? -1 : 1;
      tile.r[at] = static_cast<float>(sign * mean_beyond(sign * tile.r[at] * root) / root);
    }
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
