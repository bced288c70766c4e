#pragma once
/// Which frames of a clip are taken.

#include <algorithm>
#include <limits>

#include "sunder/video/open_frames.hpp"

namespace sunder {

struct FrameRange {
  Index first;
  Index last;  ///< one past the end; the largest Index: until the end
  Index stride;

  explicit FrameRange(const FrameOptions& options)
      : first(options.first),
        last(options.last < 0 ? std::numeric_limits<Index>::max() : options.last),
        stride(options.stride) {}

  bool takes(Index frame) const {
    return frame >= first && frame < last && (frame - first) % stride == 0;
  }
  /// How many of `frames` are taken; -1 if the number of frames is not known.
  Index count(Index frames) const {
    if (frames < 0) return last == std::numeric_limits<Index>::max() ? -1 : length(last);
    return length(std::min(frames, last));
  }

 private:
  Index length(Index end) const { return end <= first ? 0 : (end - first - 1) / stride + 1; }
};

}  // namespace sunder
