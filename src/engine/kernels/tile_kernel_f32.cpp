#include "engine/kernels/tile_kernel.hpp"

// This file is compiled once for each instruction set below; the set is chosen at run time. The
// older sets of x86 would differ little from the baseline and cost a compilation each. Each
// precision has its own file because no other code takes longer to compile.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/tile_kernel_f32.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which selects the target.
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
