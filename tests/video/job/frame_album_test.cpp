#include "video/job/frame_album.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(FrameAlbum, ReducesLongSidesAndThinsLongClips) {
  FrameFormat format;
  format.height = 300;
  format.width = 600;
  FrameAlbum album(format);
  EXPECT_EQ(album.step(), 3);
  EXPECT_EQ(album.rows(), 100);
  EXPECT_EQ(album.columns(), 200);
  Frame frame;
  frame.bytes.assign(format.bytes(), 120);
  std::vector<std::uint8_t> mask(format.pixels(), 0);
  mask[0] = 255;
  Index wanted = 0;
  for (Index number = 0; number < 500; ++number) {
    if (!album.wants(number)) continue;
    ++wanted;
    album.add(number, frame, frame, mask);
  }
  EXPECT_LT(wanted, 200);
  EXPECT_LE(album.pictures().size(), 60U);
  EXPECT_GE(album.pictures().size(), 20U);
  EXPECT_EQ(album.pictures().front().number, 0);
  EXPECT_FLOAT_EQ(album.pictures().front().frame.front(), 120);
  EXPECT_EQ(album.pictures().front().mask[0], 1);
  EXPECT_EQ(album.pictures().front().mask[1], 0);
}

}  // namespace
}  // namespace sunder
