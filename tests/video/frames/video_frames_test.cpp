#include "video/frames/video_frames.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "io/write_video.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using namespace testing;

TEST(VideoFrames, RangeStrideRewindAndThreads) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(16, 20);
  // With B-frames, whose order in the file is not that of presentation.
  testing::write_clip(folder / "a.mp4", format, 40, testing::lossless(), 30);
  for (const int threads : {1, 2}) {
    FrameOptions options;
    options.first = 5;
    options.last = 31;
    options.stride = 4;
    options.threads = threads;
    options.grey = true;  // H.264 comes back in colour
    const auto source = open_frames((folder / "a.mp4").string(), options);
    EXPECT_EQ(source->expected_frames(), 7);
    EXPECT_NEAR(source->frames_per_second(), 7.5, 1e-6);
    expect_clip(all_frames(*source), format, 7, 5, 4);
    ASSERT_TRUE(source->rewind());
    expect_clip(all_frames(*source), format, 7, 5, 4);
    EXPECT_TRUE(source->warnings().empty());
  }
}

TEST(VideoFrames, RangeBeyondTheEnd) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.mkv", clip_format(8, 8), 6, testing::lossless());
  FrameOptions options;
  options.first = 6;
  expect_error<InputError>([&] { open_frames((folder / "a.mkv").string(), options); },
                           {"6 frames", "frame 6"});
  options.first = 5;
  options.last = 1000;
  const auto source = open_frames((folder / "a.mkv").string(), options);
  expect_clip(all_frames(*source), clip_format(8, 8), 1, 5);
}

TEST(VideoFrames, OneFrame) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.mp4", "a.mkv", "a.avi"}) {
    SCOPED_TRACE(name);
    testing::write_clip(folder / name, clip_format(8, 8), 1, testing::lossless());
    FrameOptions options;
    options.grey = true;
    const auto source = open_frames((folder / name).string(), options);
    expect_clip(all_frames(*source), clip_format(8, 8), 1);
    EXPECT_EQ(source->warnings(), std::vector<std::string>{});
  }
}

TEST(VideoFrames, ZeroFrames) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.avi", {AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_BGR24, 6, 5, 0});
  expect_error<InputError>([&] { open_frames((folder / "a.avi").string(), {}); },
                           {"a.avi", "not one frame"});
}

TEST(VideoFrames, GreyAndSmaller) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(16, 24, 3);
  const auto sink = create_frames(folder / "a.mkv", format, 25, testing::lossless());
  Frame frame;
  for (Index p = 0; p < format.pixels(); ++p) {
    const bool left = p % 24 < 12;
    for (const int code : {left ? 200 : 20, left ? 100 : 250, left ? 50 : 90}) {
      frame.bytes.push_back(static_cast<std::uint8_t>(code));
    }
  }
  sink->write(frame);
  sink->finish();
  FrameOptions options;
  options.scale = 0.25;
  options.grey = true;
  const auto source = open_frames((folder / "a.mkv").string(), options);
  ASSERT_EQ(source->format(), clip_format(4, 6));
  const Frame small = all_frames(*source).at(0);
  EXPECT_NEAR(small.bytes[0], 0.299 * 200 + 0.587 * 100 + 0.114 * 50, 2);
  EXPECT_NEAR(small.bytes[5], 0.299 * 20 + 0.587 * 250 + 0.114 * 90, 2);
}

/// Each image has its own size.
TEST(VideoFrames, LaterSizesAreScaledToTheFirst) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "small_%d.png", clip_format(16, 24), 3);
  testing::write_clip(folder / "large_%d.png", clip_format(32, 48), 3);
  for (int k = 0; k < 3; ++k) {
    std::filesystem::rename(folder / fmt::format("small_{}.png", k),
                            folder / fmt::format("f{}.png", k));
    std::filesystem::rename(folder / fmt::format("large_{}.png", k),
                            folder / fmt::format("f{}.png", k + 3));
  }
  const auto source = open_frames((folder / "f%d.png").string(), {});
  const std::vector<Frame> frames = all_frames(*source);
  ASSERT_EQ(frames.size(), 6U);
  expect_clip({frames.begin(), frames.begin() + 3}, clip_format(16, 24), 3);
  // The mean of four pixels of the larger one: rows 2 i, columns 2 j.
  EXPECT_EQ(frames[3].bytes.size(), 16U * 24U);
  EXPECT_NEAR(frames[3].bytes[2 * 24 + 5], 3 * 4.5 + 2 * 10.5, 1.5);
  EXPECT_THAT(source->warnings(), ::testing::ElementsAre(::testing::HasSubstr(
                                      "from frame 3 on it is 48 x 32 where it was 24 x 16")));
}

}  // namespace
}  // namespace sunder
