#pragma once
/// A model from slices alone: the batch solver, then the window's own sweeps.

#include "algorithms/stream/slice_window.hpp"

namespace sunder::streaming {

SliceWindow batch_start(const Shape& slice_shape, int rank, const WindowOptions& options,
                        const std::deque<HeldSlice>& slices, std::uint64_t seed);

}  // namespace sunder::streaming
