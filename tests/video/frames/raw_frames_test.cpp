#include "video/frames/raw_frames.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::clip_format;
using testing::expect_error;

/// A pipe that holds some bytes; small enough for its buffer.
class Pipe {
 public:
  explicit Pipe(const std::string& bytes, bool close = true) {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    if (close) shut();
  }
  ~Pipe() {
    shut();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void shut() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  int out() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{};
};

std::string raw_clip(const FrameFormat& format, Index frames) {
  std::string bytes;
  for (Index time = 0; time < frames; ++time) {
    const Frame frame = testing::clip_frame(format, time);
    bytes.append(frame.bytes.begin(), frame.bytes.end());
  }
  return bytes;
}

FrameOptions raw_options(const FrameFormat& format, const std::string& pixels) {
  FrameOptions options;
  options.raw_width = format.width;
  options.raw_height = format.height;
  options.raw_format = pixels;
  return options;
}

TEST(RawFrames, ComeAsTheyAre) {
  const std::vector<std::pair<std::string, FrameFormat>> cases = {
      {"gray", clip_format(5, 7)},
      {"rgb24", clip_format(5, 7, 3)},
      {"gray16le", clip_format(5, 7, 1, 16)},
      {"rgb48le", clip_format(5, 7, 3, 16)}};
  for (const auto& [pixels, format] : cases) {
    SCOPED_TRACE(pixels);
    const Pipe pipe(raw_clip(format, 9));
    RawFrames source(pipe.out(), raw_options(format, pixels));
    EXPECT_EQ(source.format(), format);
    EXPECT_EQ(source.expected_frames(), -1);
    testing::expect_clip(testing::all_frames(source), format, 9);
    EXPECT_TRUE(source.warnings().empty());
    EXPECT_FALSE(source.rewind());
  }
}

TEST(RawFrames, OtherPixelFormatsAreConverted) {
  const FrameFormat colour = clip_format(4, 6, 3);
  std::string bytes = raw_clip(colour, 2);
  for (std::size_t p = 0; p < bytes.size(); p += 3) std::swap(bytes[p], bytes[p + 2]);
  const Pipe pipe(bytes);
  RawFrames source(pipe.out(), raw_options(colour, "bgr24"));
  testing::expect_clip(testing::all_frames(source), colour, 2);
  // White in limited range.
  const Pipe white(std::string(4 * 6, '\xeb') + std::string(2 * 2 * 3, '\x80'));
  RawFrames shades(white.out(), raw_options(clip_format(4, 6), "yuv420p"));
  const Frame frame = testing::all_frames(shades).at(0);
  ASSERT_EQ(frame.bytes.size(), 72U);
  EXPECT_EQ(frame.bytes[0], 255);
  EXPECT_EQ(frame.bytes[71], 255);
}

TEST(RawFrames, RangeAndStride) {
  const FrameFormat format = clip_format(4, 6);
  const Pipe pipe(raw_clip(format, 20));
  FrameOptions options = raw_options(format, "gray");
  options.first = 2;
  options.last = 12;
  options.stride = 3;
  RawFrames source(pipe.out(), options);
  EXPECT_EQ(source.expected_frames(), 4);
  testing::expect_clip(testing::all_frames(source), format, 4, 2, 3);
}

TEST(RawFrames, PartOfAFrameIsDropped) {
  const FrameFormat format = clip_format(4, 6);
  const std::string bytes = raw_clip(format, 4);
  const Pipe pipe(bytes.substr(0, bytes.size() - 5));
  RawFrames source(pipe.out(), raw_options(format, "gray"));
  testing::expect_clip(testing::all_frames(source), format, 3);
  ASSERT_EQ(source.warnings().size(), 1U);
  EXPECT_THAT(source.warnings()[0], ::testing::HasSubstr("within frame 3: 19 of 24 bytes"));
}

TEST(RawFrames, NothingOrTooLittle) {
  const FrameFormat format = clip_format(4, 6);
  const Pipe empty("");
  expect_error<InputError>([&] { RawFrames(empty.out(), raw_options(format, "gray")); },
                           {"after 0 frames"});
  const Pipe three(raw_clip(format, 3));
  FrameOptions options = raw_options(format, "gray");
  options.first = 5;
  expect_error<InputError>([&] { RawFrames(three.out(), options); }, {"3 frames", "frame 5"});
}

TEST(RawFrames, SizesAndFormatsThatCannotBe) {
  const Pipe pipe("");
  for (const auto& [width, height] : std::vector<std::pair<Index, Index>>{
           {0, 5}, {5, 0}, {-1, 5}, {Index{1} << 40, 5}, {1 << 20, 1 << 20}}) {
    FrameOptions options;
    options.raw_width = width;
    options.raw_height = height;
    expect_error<OptionError>([&] { RawFrames(pipe.out(), options); }, {std::to_string(width)});
  }
  expect_error<OptionError>([&] { RawFrames(pipe.out(), raw_options(clip_format(4, 4), "grey9")); },
                            {"grey9", "gray16le"});
}

TEST(RawFrames, StopsWhileWaiting) {
  const FrameFormat format = clip_format(4, 6);
  const Pipe open_pipe(raw_clip(format, 2), false);
  int questions = 0;
  FrameOptions options = raw_options(format, "gray");
  options.stop = [&] { return ++questions > 6; };
  RawFrames source(open_pipe.out(), options);
  EXPECT_EQ(testing::all_frames(source).size(), 2U);
}

}  // namespace
}  // namespace sunder
