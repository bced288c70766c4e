#include "video/frames/image_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::all_frames;
using testing::clip_format;
using testing::expect_clip;
using testing::TemporaryFolder;

TEST(ImageInput, Patterns) {
  for (const std::string name : {"a_%04d.png", "%d.jpg", "dir/*.png", "a?.png"}) {
    EXPECT_TRUE(is_image_pattern(name)) << name;
  }
  for (const std::string name : {"a.png", "a%.png", "100%s.png", "dir*/a.png", "a%", "a%99999d"}) {
    EXPECT_FALSE(is_image_pattern(name)) << name;
  }
}

TEST(ImageInput, StarAndAnyFirstNumber) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(6, 8, 3);
  testing::write_clip(folder / "f_%04d.png", format, 12);
  const auto stars = open_frames((folder / "f_*.png").string(), {});
  expect_clip(all_frames(*stars), format, 12);
  EXPECT_EQ(stars->frames_per_second(), 0);
  for (int k = 11; k >= 0; --k) {
    const std::string from = "f_00" + std::string(k < 10 ? "0" : "") + std::to_string(k) + ".png";
    fs::rename(folder / from, folder / ("f_" + std::to_string(2000 + k) + ".png"));
  }
  FrameOptions options;
  options.first = 2;
  options.stride = 5;
  options.fps = 10;
  const auto numbered = open_frames((folder / "f_%04d.png").string(), options);
  EXPECT_EQ(numbered->frames_per_second(), 2);
  expect_clip(all_frames(*numbered), format, 2, 2, 5);
  ASSERT_TRUE(numbered->rewind());
  expect_clip(all_frames(*numbered), format, 2, 2, 5);
}

TEST(ImageInput, AGapIsTold) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(6, 8);
  testing::write_clip(folder / "f_%04d.png", format, 12);
  fs::remove(folder / "f_0007.png");
  const auto source = open_frames((folder / "f_%04d.png").string(), {});
  expect_clip(all_frames(*source), format, 7);
  EXPECT_THAT(source->warnings(),
              ::testing::Contains(::testing::HasSubstr("f_0007.png is missing: the 4 images")));
}

TEST(ImageInput, ADamagedImageIsLeftOut) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(40, 60);
  testing::write_clip(folder / "f_%02d.png", format, 5);
  std::string bytes = testing::read_bytes(folder / "f_02.png");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  testing::write_bytes(folder / "f_02.png", bytes);
  const auto source = open_frames((folder / "f_%02d.png").string(), {});
  const std::vector<Frame> frames = all_frames(*source);
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(testing::distance(frames[2], format, 3), 0);
  EXPECT_THAT(source->warnings(), ::testing::Contains(::testing::HasSubstr("frame 2 is damaged")));
}

TEST(ImageInput, NoSuchImages) {
  const TemporaryFolder folder;
  for (const std::string name : {"f_%04d.png", "*.png", "none/f_%d.png"}) {
    testing::expect_error<InputError>([&] { open_frames((folder / name).string(), {}); },
                                      {name, "no file has such a name"});
  }
}

}  // namespace
}  // namespace sunder
