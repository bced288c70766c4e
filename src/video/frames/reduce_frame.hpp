#pragma once
/// Smaller and grey frames by plain averages, for arrays.

#include "sunder/video/frame.hpp"

namespace sunder {

/// The codes `in` of `format` to `out` in `target`, which has the same bits, the same channels or
/// one instead of three (luma of ITU-R BT.601), and is not larger. A pixel of the target is the
/// average of the area it covers, parts of pixels counted in proportion.
void reduce_frame(const std::uint8_t* in, const FrameFormat& format, const FrameFormat& target,
                  Frame& out);

}  // namespace sunder
