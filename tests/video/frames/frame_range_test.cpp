#include "video/frames/frame_range.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(FrameRange, CountsWhatItTakes) {
  for (const Index first : {0, 3}) {
    for (const Index last : {-1, 4, 10, 100}) {
      for (const Index stride : {1, 2, 7}) {
        FrameOptions options;
        options.first = first;
        options.last = last;
        options.stride = stride;
        const FrameRange range(options);
        for (const Index frames : {0, 1, 4, 12}) {
          Index taken = 0;
          for (Index k = 0; k < frames; ++k) taken += range.takes(k) ? 1 : 0;
          EXPECT_EQ(range.count(frames), taken);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sunder
