// The buffers of a tile of the mixture pass: a few fibres, or pieces of them, that stay in the
// first level of the cache from the residual to the products.

#if defined(SUNDER_ENGINE_MIXTURE_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_MIXTURE_TILE_INL_HPP
#undef SUNDER_ENGINE_MIXTURE_TILE_INL_HPP
#else
#define SUNDER_ENGINE_MIXTURE_TILE_INL_HPP
#endif

#include <algorithm>
#include <cmath>

#include "engine/kernels/mixture/mixture_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

using Singles = hn::CappedTag<float, MixtureTask::padding>;
using SinglesVector = hn::Vec<Singles>;
using SinglesMask = hn::Mask<Singles>;
using Integers = hn::RebindToSigned<Singles>;
using WideDoubles = hn::CappedTag<double, MixtureTask::padding / 2>;

struct MixtureTile {
  static constexpr Index most_rows = 8;
  static constexpr Index stride = 128;  ///< and the most columns
  static constexpr Index size = most_rows * stride;

  Index row = 0;  ///< of the task, where the tile begins
  Index column = 0;
  Index rows = 0;
  Index columns = 0;

  HWY_ALIGN float r[size];
  HWY_ALIGN float x[size];     ///< |L|
  HWY_ALIGN float seen[size];  ///< 1 or 0; in whole tiles of complete data, only of the last vector
  HWY_ALIGN float psi[size];
  HWY_ALIGN std::int32_t cell[size];  ///< of the table of counts
  /// Sums by |L|. Neighbours are often in the same bin: two in turn wait for each other half as
  /// long.
  double signal[2][MixtureDensity::signal_bins][4] = {};

  Index padded() const {
    return (columns + MixtureTask::padding - 1) / MixtureTask::padding * MixtureTask::padding;
  }
};

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
