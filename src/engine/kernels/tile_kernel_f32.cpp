#include "engine/kernels/tile_kernel.hpp"

// Compiled once for each set of instructions below, and chosen at run time. The older sets of x86
// would differ little from the baseline, and cost a compilation each. A file for each precision,
// because they take the compiler longest of all.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/tile_kernel_f32.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which decides the target.
#include "engine/kernels/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

void run_tile_f32(const TileTask<float>& task) { run_tile_of(task); }
void stream_tile_f32(const TileTask<float>& task) { stream_tile_of(task); }
Index lanes_f32() { return static_cast<Index>(hn::Lanes(Wide<float>())); }

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(run_tile_f32);
HWY_EXPORT(stream_tile_f32);
HWY_EXPORT(lanes_f32);

template <>
Index vector_lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(lanes_f32)();
}
template <>
void run_tile(const TileTask<float>& task) {
  HWY_DYNAMIC_DISPATCH(run_tile_f32)(task);
}
template <>
void stream_tile(const TileTask<float>& task) {
  HWY_DYNAMIC_DISPATCH(stream_tile_f32)(task);
}

}  // namespace sunder::kernels
#endif  // HWY_ONCE
