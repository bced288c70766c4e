#pragma once
/// The SIMD kernels, behind run-time dispatch to the instructions this processor has.

#include "engine/kernels/tile_task.hpp"

namespace sunder::kernels {

/// Lanes of a vector: panels are padded to them.
template <class Real>
Index vector_lanes();

/// Does everything a task asks for.
template <class Real>
void run_tile(const TileTask<Real>& task);

/// The same for tasks that `can_stream`, whose panels are as wide as the tile.
template <class Real>
void stream_tile(const TileTask<Real>& task);

/// What stream_tile can do: one or two components, everything or a hard threshold, MTTKRP and sums
/// alone, entries side by side in a type that widens in registers.
template <class Real>
bool can_stream(const TileTask<Real>& task);

}  // namespace sunder::kernels
