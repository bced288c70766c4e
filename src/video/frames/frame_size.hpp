#pragma once
/// Sizes of frames after scaling.

#include <algorithm>
#include <cmath>

#include "sunder/core/shape.hpp"

namespace sunder {

inline Index scaled_extent(Index extent, double scale) {
  return std::clamp<Index>(std::llround(static_cast<double>(extent) * scale), 1, extent);
}

}  // namespace sunder
