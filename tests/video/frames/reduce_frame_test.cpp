#include "video/frames/reduce_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::clip_format;

TEST(ReduceFrame, WholeBoxes) {
  for (const int bits : {8, 16}) {
    const FrameFormat format = clip_format(6, 8, 3, bits);
    const FrameFormat target = clip_format(2, 4, 3, bits);
    const Frame in = testing::clip_frame(format, 1);
    Frame out;
    reduce_frame(in.bytes.data(), format, target, out);
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 4; ++j) {
        for (Index c = 0; c < 3; ++c) {
          double sum = 0;
          for (Index k = 0; k < 6; ++k) {
            sum += testing::code_at(in, format, 3 * i + k / 2, 2 * j + k % 2, c);
          }
          EXPECT_NEAR(testing::code_at(out, target, i, j, c), sum / 6, 0.5001);
        }
      }
    }
  }
}

/// 5 pixels on 2: the middle one is shared half and half.
TEST(ReduceFrame, PartsOfPixels) {
  const Frame in{{10, 20, 100, 40, 50}};
  Frame out;
  reduce_frame(in.bytes.data(), clip_format(1, 5), clip_format(1, 2), out);
  EXPECT_EQ(out.bytes, (std::vector<std::uint8_t>{32, 56}));
}

TEST(ReduceFrame, KeepsAConstantAtAnySize) {
  const FrameFormat format = clip_format(23, 17);
  const Frame in{std::vector<std::uint8_t>(23 * 17, 201)};
  for (Index height = 1; height <= 23; ++height) {
    for (Index width = 1; width <= 17; ++width) {
      Frame out;
      reduce_frame(in.bytes.data(), format, clip_format(height, width), out);
      ASSERT_EQ(out.bytes, std::vector<std::uint8_t>(height * width, 201));
    }
  }
}

}  // namespace
}  // namespace sunder
