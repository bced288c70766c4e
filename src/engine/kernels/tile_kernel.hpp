#pragma once
/// The SIMD kernels, with run-time dispatch to the instruction set of the processor.

#include "engine/kernels/tile_task.hpp"

namespace sunder::kernels {

/// Returns the number of lanes of a vector; panels are padded to a multiple of it.
template <class Real>
Index vector_lanes();

/// Does everything that a task requests.
template <class Real>
void run_tile(const TileTask<Real>& task);

/// The same for tasks that satisfy `can_stream`, whose panels are as wide as the tile.
template <class Real>
void stream_tile(const TileTask<Real>& task);

/// Returns true for the tasks that stream_tile supports: one or two components, no rule or a hard
/// threshold, only MTTKRP and sums, and contiguous entries of a type that widens in registers.
template <class Real>
bool can_stream(const TileTask<Real>& task);

}  // namespace sunder::kernels
