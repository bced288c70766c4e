#include "sunder/video/write_frames.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "io/expect_error.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using namespace testing;

TEST(WriteFrames, LosslessComesBackExactly) {
  const TemporaryFolder folder;
  struct Case {
    std::string name;
    FrameFormat format;
  };
  const std::vector<Case> cases = {
      {"grey.mkv", clip_format(11, 13)},        {"colour.mkv", clip_format(11, 13, 3)},
      {"grey16.mkv", clip_format(9, 7, 1, 16)}, {"colour16.mkv", clip_format(9, 7, 3, 16)},
      {"grey.avi", clip_format(10, 12)},        {"colour.avi", clip_format(11, 13, 3)},
      {"grey.mp4", clip_format(16, 20)},        {"odd.mp4", clip_format(17, 21)},
      {"colour.mp4", clip_format(17, 21, 3)},   {"colour.mov", clip_format(16, 20, 3)},
      {"colour.webm", clip_format(17, 21, 3)}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    write_clip(folder / c.name, c.format, 12, testing::lossless(), 10);
    FrameOptions options;
    options.grey = c.format.channels == 1;  // H.264 comes back in colour
    const auto source = open_frames((folder / c.name).string(), options);
    EXPECT_EQ(source->format(), c.format);
    EXPECT_EQ(source->expected_frames(), 12);
    EXPECT_NEAR(source->frames_per_second(), 10, 1e-6);
    expect_clip(all_frames(*source), c.format, 12);
    EXPECT_EQ(source->warnings(), std::vector<std::string>{});
  }
}

TEST(WriteFrames, UsualQualityIsCloseAtEvenAndOddSizes) {
  const TemporaryFolder folder;
  const FrameFormat even = clip_format(32, 48);
  const FrameFormat odd = clip_format(33, 47);
  for (const std::string name : {"a.mp4", "a.mkv", "a.mov", "a.avi", "a.webm"}) {
    for (const FrameFormat& format : {even, odd}) {
      SCOPED_TRACE(name + std::to_string(format.width));
      // A quiet picture: the pattern of the clip wraps around, which no video does.
      Frame frame;
      for (Index p = 0; p < format.values(); ++p) {
        frame.bytes.push_back(static_cast<std::uint8_t>(40 + 4 * (p % format.width)));
      }
      const auto sink = create_frames(folder / name, format, 25);
      for (int time = 0; time < 5; ++time) sink->write(frame);
      sink->finish();
      FrameOptions options;
      options.grey = true;
      const auto source = open_frames((folder / name).string(), options);
      ASSERT_EQ(source->format(), format);
      const std::vector<Frame> frames = all_frames(*source);
      ASSERT_EQ(frames.size(), 5U);
      int worst = 0;
      for (std::size_t p = 0; p < frame.bytes.size(); ++p) {
        worst = std::max(worst, std::abs(frames[4].bytes[p] - frame.bytes[p]));
      }
      EXPECT_LE(worst, 8);
    }
  }
}

TEST(WriteFrames, MasksStaySharp) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(24, 32);
  WriteOptions options;
  options.mask = true;
  const auto mask = [&](Index time) {
    Frame frame;
    for (Index p = 0; p < format.values(); ++p) {
      frame.bytes.push_back((p * 2654435761 + time) % 7 < 2 ? 255 : 0);
    }
    return frame;
  };
  for (const std::string name : {"m.mp4", "m.mkv", "m.avi", "m.webm"}) {
    SCOPED_TRACE(name);
    const auto sink = create_frames(folder / name, format, 25, options);
    for (Index time = 0; time < 4; ++time) sink->write(mask(time));
    sink->finish();
    FrameOptions grey;
    grey.grey = true;
    const auto source = open_frames((folder / name).string(), grey);
    const std::vector<Frame> frames = all_frames(*source);
    ASSERT_EQ(frames.size(), 4U);
    int worst = 0;
    for (Index time = 0; time < 4; ++time) {
      const Frame truth = mask(time);
      for (std::size_t p = 0; p < truth.bytes.size(); ++p) {
        const int code = frames[time].bytes[p];
        worst = std::max(worst, std::abs(code - truth.bytes[p]));
      }
    }
    EXPECT_LE(worst, name == "m.mkv" || name == "m.avi" ? 0 : 24);
  }
}

TEST(WriteFrames, NumpyReadsTheArray) {
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "NumPy is not installed";
  const TemporaryFolder folder;
  write_clip(folder / "grey.npy", clip_format(4, 6), 5);
  write_clip(folder / "colour.npy", clip_format(4, 6, 3, 16), 5);
  EXPECT_TRUE(testing::run_python(*python, folder.path(), R"(
import numpy as np
i, j, t = np.meshgrid(range(4), range(6), range(5), indexing="ij")
a = np.load("grey.npy")
assert a.dtype == np.uint8 and np.array_equal(a, (i * 3 + j * 2 + t * 7) % 256)
i, j, c, t = np.meshgrid(range(4), range(6), range(3), range(5), indexing="ij")
a = np.load("colour.npy")
assert a.dtype == np.uint16
assert np.array_equal(a, (i * 3 + j * 2 + c * 40 + t * 7) * 251 % 65536)
)"));
}

TEST(WriteFrames, NothingIsLeftWithoutFinish) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(16, 16);
  for (const std::string name : {"a.mp4", "a.mkv", "a.npy", "a_%03d.png"}) {
    const auto sink = create_frames(folder / name, format, 25);
    sink->write(testing::clip_frame(format, 0));
    EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
  }
  EXPECT_EQ(testing::names_in(folder.path()), std::vector<std::string>{});
}

TEST(WriteFrames, UnknownRateIs25) {
  const TemporaryFolder folder;
  for (const double fps : {0.0, -3.0, 1e9}) {
    write_clip(folder / "a.mkv", clip_format(16, 16), 10, {}, fps);
    EXPECT_NEAR(open_frames((folder / "a.mkv").string(), {})->frames_per_second(), 25, 1e-6);
  }
}

TEST(WriteFrames, RefusesWhatCannotBe) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(8, 8);
  for (const std::string name : {"a.xyz", "a", "a.png", "a_%d_%d.png", "a.txt"}) {
    expect_error<OutputError>([&] { create_frames(folder / name, format, 25); }, {name, ".mp4"});
  }
  for (const std::string name : {"a.mp4", "a.npy"}) {
    expect_error<WriteError>([&] { create_frames(folder / ("none/" + name), format, 25); },
                             {name, "No such file"});
  }
  expect_error<OutputError>(
      [&] { create_frames(folder / "a.mp4", clip_format(8, 8, 1, 16), 25, testing::lossless()); },
      {"16 bits", ".mkv"});
  expect_error<InputError>([&] { create_frames(folder / "a.mkv", clip_format(0, 8), 25); },
                           {"0 x 8"});
  expect_error<InputError>(
      [&] {
        create_frames(folder / "a.mkv", format, 25)->write(Frame{{1, 2, 3}});
      },
      {"3 bytes", "64"});
  expect_error<WriteError>([&] { create_frames(folder / "a.mkv", format, 25)->finish(); },
                           {"no frame"});
  EXPECT_EQ(testing::names_in(folder.path()), std::vector<std::string>{});
}

/// A limit on the size of files stands for a full disk.
class SmallFiles {
 public:
  SmallFiles() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = 20000;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteFrames, FullDiskIsAnErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.mp4", "a.avi", "a.mkv", "a.npy"}) {
    SCOPED_TRACE(name);
    const SmallFiles limit;
    expect_error<WriteError>(
        [&] { write_clip(folder / name, clip_format(64, 64, 3), 60, testing::lossless()); },
        {name});
  }
  EXPECT_EQ(testing::names_in(folder.path()), std::vector<std::string>{});
}

}  // namespace
}  // namespace sunder
