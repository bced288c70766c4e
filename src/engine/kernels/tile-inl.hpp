// Processes a tile with the kernel that fits it.

#if defined(SUNDER_ENGINE_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_TILE_INL_HPP
#undef SUNDER_ENGINE_TILE_INL_HPP
#else
#define SUNDER_ENGINE_TILE_INL_HPP
#endif

#include <algorithm>

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

template <int model_rank, int probe_rank, class T, bool with_sums, class Real>
void stream_groups(const TileTask<Real>& task) {
  const Wide<Real> d;
  for (Index row = 0; row < task.rows; row += stream_group) {
    const Index rows = std::min(stream_group, task.rows - row);
    stream_rows<model_rank, probe_rank, T, with_sums>(d, task, row, rows);
  }
}

template <int model_rank, int probe_rank, class T, class Real>
void stream_all_rows(const TileTask<Real>& task) {
  if constexpr (std::is_integral_v<T>) {  // arithmetic limits these types, memory bandwidth the
                                          // others
    if (!task.sums_wanted) return stream_groups<model_rank, probe_rank, T, false>(task);
  }
  stream_groups<model_rank, probe_rank, T, true>(task);
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

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
