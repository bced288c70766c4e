#include "video/background/alignment.hpp"

#include <gtest/gtest.h>

#include "video/synthetic_clip.hpp"

namespace sunder {
namespace {

using testing::Clip;
using testing::ClipOptions;
using testing::make_clip;

Clip shaken(const std::vector<Shift>& shake, Index channels = 1, int bits = 8) {
  ClipOptions options;
  options.height = 90;
  options.width = 120;
  options.channels = channels;
  options.bits = bits;
  options.frames = static_cast<int>(shake.size());
  options.shake = shake;
  options.relief = 2;
  return make_clip(options);
}

TEST(Alignment, FindsTheShiftDespiteAnObject) {
  const std::vector<Shift> shake = {{0, 0}, {1.5, -2}, {-4, 3.3}, {0.4, 6}, {-7, -7}};
  for (const Index channels : {1, 3}) {
    for (const int bits : {8, 16}) {
      const Clip clip = shaken(shake, channels, bits);
      const GreyPyramid reference(clip.frames[0], clip.format);
      for (std::size_t t = 0; t < shake.size(); ++t) {
        const Shift shift = find_shift(reference, GreyPyramid(clip.frames[t], clip.format));
        EXPECT_NEAR(shift.y, shake[t].y, 0.15) << t;
        EXPECT_NEAR(shift.x, shake[t].x, 0.15) << t;
      }
    }
  }
}

TEST(Alignment, AFrameMovedBackShowsTheReference) {
  const Clip clip = shaken({{0, 0}, {3, -5}});
  const Frame back = moved_back(clip.frames[1], clip.format, {3, -5});
  double sum = 0;
  Index count = 0;
  for (Index i = 60; i < 80; ++i) {  // below the object
    for (Index j = 10; j < 110; ++j, ++count) {
      const auto p = static_cast<std::size_t>(i * clip.format.width + j);
      sum += std::abs(back.bytes[p] - clip.frames[0].bytes[p]);
    }
  }
  EXPECT_LT(sum / static_cast<double>(count), 5);  // two noises of 3
}

TEST(Alignment, MasksMoveAsFramesDo) {
  FrameFormat format;
  format.height = 4;
  format.width = 5;
  std::vector<std::uint8_t> mask(20, 0);
  mask[0 * 5 + 0] = 255;
  mask[2 * 5 + 3] = 255;
  const std::vector<std::uint8_t> moved = moved_mask(mask, format, {1.2, -1});
  std::vector<std::uint8_t> expected(20, 0);
  expected[3 * 5 + 2] = 255;
  EXPECT_EQ(moved, expected);
  std::vector<std::uint8_t> plane(20, 7);
  paint_unseen(plane, format, {1.2, -1}, 0);
  EXPECT_EQ(std::count(plane.begin(), plane.end(), 7), 8);  // rows 0, 1 and columns 1 to 4
}

TEST(Alignment, AStillCameraDoesNotShake) {
  const Clip clip = shaken(std::vector<Shift>(20));
  std::vector<const Frame*> frames;
  for (const Frame& frame : clip.frames) frames.push_back(&frame);
  EXPECT_LT(typical_shift(frames, clip.format), 0.3);
  EXPECT_EQ(typical_shift({frames[0]}, clip.format), 0);
}

TEST(Alignment, FramesWithoutAnythingInCommonHaveNoShift) {
  Clip clip = shaken({{0, 0}, {0, 0}});
  std::fill(clip.frames[1].bytes.begin(), clip.frames[1].bytes.end(), 0);
  const Shift shift = find_shift(GreyPyramid(clip.frames[0], clip.format),
                                 GreyPyramid(clip.frames[1], clip.format));
  EXPECT_LT(std::hypot(shift.y, shift.x), 30);
}

}  // namespace
}  // namespace sunder
