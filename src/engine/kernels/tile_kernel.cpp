#include "engine/kernels/tile_kernel.hpp"

#include <algorithm>

// Compiled once for each set of instructions below, and chosen at run time. The older sets of x86
// would differ little from the baseline, and cost a compilation each.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/tile_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which decides the target.
#include "engine/kernels/stream-inl.hpp"
#include "engine/kernels/strip-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

template <class Real>
void run_tile_of(const TileTask<Real>& task) {
  const Wide<Real> d;
  Index row = 0;
  for (; row + strip_rows <= task.rows; row += strip_rows) run_strip<3>(d, task, row);
  for (; row < task.rows; ++row) run_strip<1>(d, task, row);
}

template <int model_rank, int probe_rank, class T, class Real>
void stream_all_rows(const TileTask<Real>& task) {
  const Wide<Real> d;
  for (Index row = 0; row < task.rows; row += stream_group) {
    stream_rows<model_rank, probe_rank, T>(d, task, row, std::min(stream_group, task.rows - row));
  }
}

template <class T, class Real>
void stream_ranks(const TileTask<Real>& task) {
  if (task.model_rank == 0) {
    task.probe_rank == 1 ? stream_all_rows<0, 1, T>(task) : stream_all_rows<0, 2, T>(task);
  } else {
    task.probe_rank == 1 ? stream_all_rows<1, 1, T>(task) : stream_all_rows<2, 2, T>(task);
  }
}

template <class Real>
void stream_tile_of(const TileTask<Real>& task) {
  if (task.type == ScalarType::u8) {
    stream_ranks<std::uint8_t>(task);
  } else {
    stream_ranks<Real>(task);
  }
}

void run_tile_f64(const TileTask<double>& task) { run_tile_of(task); }
void run_tile_f32(const TileTask<float>& task) { run_tile_of(task); }
void stream_tile_f64(const TileTask<double>& task) { stream_tile_of(task); }
void stream_tile_f32(const TileTask<float>& task) { stream_tile_of(task); }
Index lanes_f64() { return static_cast<Index>(hn::Lanes(Wide<double>())); }
Index lanes_f32() { return static_cast<Index>(hn::Lanes(Wide<float>())); }

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sunder::kernels {

HWY_EXPORT(run_tile_f64);
HWY_EXPORT(run_tile_f32);
HWY_EXPORT(stream_tile_f64);
HWY_EXPORT(stream_tile_f32);
HWY_EXPORT(lanes_f64);
HWY_EXPORT(lanes_f32);

template <>
Index vector_lanes<double>() {
  return HWY_DYNAMIC_DISPATCH(lanes_f64)();
}
template <>
Index vector_lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(lanes_f32)();
}
template <>
void run_tile(const TileTask<double>& task) {
  HWY_DYNAMIC_DISPATCH(run_tile_f64)(task);
}
template <>
void run_tile(const TileTask<float>& task) {
  HWY_DYNAMIC_DISPATCH(run_tile_f32)(task);
}
template <>
void stream_tile(const TileTask<double>& task) {
  HWY_DYNAMIC_DISPATCH(stream_tile_f64)(task);
}
template <>
void stream_tile(const TileTask<float>& task) {
  HWY_DYNAMIC_DISPATCH(stream_tile_f32)(task);
}

template <class Real>
bool can_stream(const TileTask<Real>& task) {
  const bool small = task.probe_rank >= 1 && task.probe_rank <= 2 &&
                     (task.model_rank == 0 || task.model_rank == task.probe_rank);
  const bool simple_rule =
      task.rule.kind == RuleKind::keep_all || task.rule.kind == RuleKind::hard_threshold;
  const bool sums_alone = !task.data_statistics && task.row_slices.kept == nullptr &&
                          task.counts.row_fitted == nullptr && task.found == nullptr &&
                          task.inspector.strip == nullptr;
  const bool direct = task.column_stride == 1 && task.mask == nullptr &&
                      (task.type == scalar_type_of<Real>() || task.type == ScalarType::u8);
  return small && simple_rule && sums_alone && direct;
}
template bool can_stream(const TileTask<double>&);
template bool can_stream(const TileTask<float>&);

void TileSums::add(const TileSums& other) {
  kept += other.kept;
  rejected += other.rejected;
  missing += other.missing;
  kept_square_sum += other.kept_square_sum;
  rejected_square_sum += other.rejected_square_sum;
  weight_sum += other.weight_sum;
  cost_sum += other.cost_sum;
  data_square_sum += other.data_square_sum;
  data_max = std::max(data_max, other.data_max);
}

}  // namespace sunder::kernels
#endif  // HWY_ONCE
