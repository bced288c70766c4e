#include "video/sinks/png_sink.hpp"

#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::clip_format;
using testing::TemporaryFolder;

TEST(PngSink, NamesWithOneNumber) {
  EXPECT_TRUE(is_numbered_name("a/frame_%04d.png"));
  EXPECT_TRUE(is_numbered_name("%d.png"));
  EXPECT_FALSE(is_numbered_name("frame.png"));
  EXPECT_FALSE(is_numbered_name("a%d_%d.png"));
  EXPECT_FALSE(is_numbered_name("a%s.png"));
  EXPECT_FALSE(is_numbered_name("a%d/b%d.png"));
}

TEST(PngSink, EveryFormatComesBackExactly) {
  const TemporaryFolder folder;
  for (const Index channels : {1, 3}) {
    for (const int bits : {8, 16}) {
      const FrameFormat format = clip_format(7, 9, channels, bits);
      const std::string name = "set" + std::to_string(channels) + std::to_string(bits);
      const std::string pattern = (folder / (name + "/f_%03d.png")).string();
      testing::write_clip(pattern, format, 12);
      EXPECT_EQ(testing::names_in(folder / name).front(), "f_000.png");
      EXPECT_EQ(testing::names_in(folder / name).back(), "f_011.png");
      const auto source = open_frames(pattern, {});
      EXPECT_EQ(source->format(), format);
      testing::expect_clip(testing::all_frames(*source), format, 12);
    }
  }
}

TEST(PngSink, OldImagesAreNotMixedWithNewOnes) {
  const TemporaryFolder folder;
  const std::string pattern = (folder / "f_%03d.png").string();
  testing::write_bytes(folder / "notes.txt", "kept");
  testing::write_clip(pattern, clip_format(6, 6), 5);
  testing::expect_error<OutputError>([&] { testing::write_clip(pattern, clip_format(6, 6), 2); },
                                     {"f_000.png", "already"});
  WriteOptions options;
  options.force = true;
  testing::write_clip(pattern, clip_format(6, 6), 2, options);
  EXPECT_EQ(testing::names_in(folder.path()),
            (std::vector<std::string>{"f_000.png", "f_001.png", "notes.txt"}));
}

}  // namespace
}  // namespace sunder
