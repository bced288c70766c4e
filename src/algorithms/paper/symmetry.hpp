#pragma once
/// Whether a tensor is symmetric, as rtd needs it.

#include "engine/source/source.hpp"
#include "sunder/core/communicator.hpp"

namespace sunder {

/// Throws InputError unless the tensor (of order 3) equals its transpositions up to rounding. Reads
/// it twice, some slices at a time if it is not in memory. A missing entry equals anything.
void require_symmetric(Source& tensor, const Communicator& communicator);

}  // namespace sunder
