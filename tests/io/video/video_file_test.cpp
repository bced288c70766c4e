#include "io/video/video_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "io/expect_error.hpp"
#include "io/files/formats.hpp"
#include "io/npy/npy_file.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "io/write_video.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;
using testing::VideoRecipe;

void expect_frames(const TensorView& view, Index first, int channels) {
  const int time = view.order() - 1;
  for (Index p = 0; p < view.entries(); ++p) {
    const ModeIndices index = view.shape().unravel(p);
    const int channel = channels == 1 ? 0 : static_cast<int>(index[2]);
    const auto t = static_cast<int>(first + index[time]);
    ASSERT_EQ(view(index), testing::video_byte(static_cast<int>(index[0]),
                                               static_cast<int>(index[1]), channel, t))
        << "entry " << p;
  }
}

TEST(Video, ColourIsHeightWidthChannelTime) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, VideoRecipe>> cases = {
      {"raw.avi", {AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_BGR24}},
      {"ffv1.mkv", {AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0, 21, 5, 7}}};
  for (const auto& [name, recipe] : cases) {
    SCOPED_TRACE(name);
    testing::write_video(folder / name, recipe);
    const VideoFile file(folder / name);
    ASSERT_EQ(file.shape(), (Shape{recipe.height, recipe.width, 3, recipe.frames}));
    EXPECT_EQ(file.type(), ScalarType::u8);
    EXPECT_EQ(file.layout(), "frames");
    const LoadedTensor loaded = file.load();
    expect_frames(loaded.view, 0, 3);
    EXPECT_EQ(loaded.view.modes_by_stride()[0], 3);
    Index seen = 0;
    file.scan([&](const TensorView& slab) {
      expect_frames(slab, seen, 3);
      seen += slab.shape()[3];
      return Continue::yes;
    });
    EXPECT_EQ(seen, recipe.frames);
  }
}

TEST(Video, GreyIsHeightWidthTime) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.mkv", {AV_CODEC_ID_FFV1, AV_PIX_FMT_GRAY8, 7, 5, 3});
  const VideoFile file(folder / "a.mkv");
  EXPECT_EQ(file.format(), "video (ffv1)");
  ASSERT_EQ(file.shape(), (Shape{5, 7, 3}));
  expect_frames(file.load().view, 0, 1);
}

TEST(Video, ScanOfSeveralSlabs) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.avi", {AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_BGR24, 2048, 2048, 7});
  const VideoFile file(folder / "a.avi");
  std::vector<Index> lengths;
  Index begin = 0;
  file.scan([&](const TensorView& slab) {
    lengths.push_back(slab.shape()[3]);
    EXPECT_EQ(slab({3, 2, 1, 0}), testing::video_byte(3, 2, 1, static_cast<int>(begin)));
    begin += lengths.back();
    return Continue::yes;
  });
  EXPECT_EQ(lengths, (std::vector<Index>{5, 2}));
}

TEST(Video, CutOffIsRefused) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.avi", {AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_BGR24, 64, 48, 20});
  const std::string whole = testing::read_bytes(folder / "a.avi");
  testing::write_bytes(folder / "b.avi", whole.substr(0, whole.size() / 2));
  ::testing::internal::CaptureStderr();
  expect_error<InputError>([&] { VideoFile(folder / "b.avi").load(); }, {"b.avi"});
  testing::write_bytes(folder / "c.avi", whole.substr(0, 40));
  expect_error<InputError>([&] { VideoFile(folder / "c.avi").load(); }, {"c.avi", "no video"});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Video, OtherFilesAreNotVideos) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.txt", "some text\nand more of it\n");
  testing::write_bytes(folder / "a.m3u8", "#EXTM3U\n#EXTINF:1,\nhttp://localhost:1/a.ts\n");
  testing::write_bytes(folder / "a.mp4", std::string(1000, '\7'));
  for (const std::string name : {"a.txt", "a.m3u8", "a.mp4"}) {
    EXPECT_FALSE(is_video(folder / name)) << name;
  }
}

TEST(Video, NamesAreNotAddresses) {
  EXPECT_FALSE(is_video("testsrc=size=10x10"));
  EXPECT_FALSE(is_video("concat:a.avi|b.avi"));
}

TEST(Video, Curtain) {
  SUNDER_REQUIRE_DATA(path, "curtain.mkv");
  const VideoFile file(*path);
  EXPECT_EQ(file.shape(), (Shape{128, 160, 3, 233}));
  EXPECT_EQ(file.format(), "video (h264)");
  const LoadedTensor colour = file.load();
  SUNDER_REQUIRE_DATA(grey_path, "curtain_X.npy");
  const LoadedTensor grey = NpyFile(*grey_path).load();
  int worst = 0;
  for (const Index t : {0, 100, 232}) {
    for (Index i = 0; i < 128; i += 5) {
      for (Index j = 0; j < 160; j += 3) {
        const double luma = 0.299 * colour.view({i, j, 0, t}) + 0.587 * colour.view({i, j, 1, t}) +
                            0.114 * colour.view({i, j, 2, t});
        worst = std::max(worst, static_cast<int>(std::abs(luma - grey.view({i, j, t}))));
      }
    }
  }
  EXPECT_LE(worst, 2);
}

TEST(Video, DeepPixelsAreRefusedAndNotCut) {
  const TemporaryFolder folder;
  testing::write_video(folder / "deep.mkv", {AV_CODEC_ID_FFV1, AV_PIX_FMT_GRAY16LE});
  expect_error<InputError>([&] { VideoFile(folder / "deep.mkv"); }, {"more than 8 bits", ".npy"});
}

TEST(Video, ATiffFileIsRefused) {
  const TemporaryFolder folder;
  testing::write_video(folder / "page.tif", {AV_CODEC_ID_TIFF, AV_PIX_FMT_GRAY8, 6, 5, 1});
  expect_error<InputError>([&] { VideoFile(folder / "page.tif"); }, {"TIFF", "all pages"});
}

}  // namespace
}  // namespace sunder
