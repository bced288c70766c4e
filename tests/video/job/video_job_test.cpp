#include "sunder/video/video_job.hpp"

#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/tensor_file.hpp"
#include "sunder/video/write_frames.hpp"
#include "video/synthetic_clip.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::TemporaryFolder;

class VideoJobs : public ::testing::Test {
 protected:
  void SetUp() override {
    const testing::Clip made = testing::make_clip(testing::clip_of(40));
    const auto sink = create_frames(folder / "clip.npy", made.format, 25);
    for (const Frame& frame : made.frames) sink->write(frame);
    sink->finish();
  }
  VideoJobResult run(const VideoJobOptions& options = {}) {
    return run_video_job(clip(), folder / "out", options);
  }
  void refuses(const VideoJobOptions& options, const std::vector<std::string>& words) {
    expect_error<OptionError>([&] { run(options); }, words);
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
  std::string clip() const { return (folder / "clip.npy").string(); }

  const TemporaryFolder folder;
};

TEST_F(VideoJobs, OneCallWritesTheWholeFolder) {
  const VideoJobResult result = run();
  EXPECT_EQ(result.summary.frames, 40);
  EXPECT_FALSE(result.interrupted);
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_GT(result.mean_object_share, 0.01);
  EXPECT_TRUE(result.verdict.starts_with("40 frames of 80 x 60; objects cover "));
  EXPECT_EQ(testing::read_bytes(folder / "out/summary.json"), result.summary_json);
  for (const std::string name : {"background.npy", "foreground.npy", "mask.npy"}) {
    EXPECT_EQ(open_tensor(folder / ("out/" + name))->shape(), (Shape{60, 80, 40})) << name;
  }
  EXPECT_TRUE(fs::exists(folder / "out/activity.csv"));
  EXPECT_EQ(fs::exists(folder / "out/report.html"), SUNDER_WITH_REPORT != 0);
}

TEST_F(VideoJobs, AnOutputThatIsNotWantedIsNotThere) {
  VideoJobOptions options;
  options.background_format = "none";
  options.mask_format = "png";
  run(options);
  EXPECT_FALSE(fs::exists(folder / "out/background.npy"));
  EXPECT_TRUE(fs::exists(folder / "out/foreground.npy"));
  EXPECT_TRUE(fs::exists(folder / "out/mask_000039.png"));
}

TEST_F(VideoJobs, WhatWasDecidedBeforeACancelIsKept) {
  VideoJobOptions options;
  options.online = true;
  int calls = 0;
  options.progress = [&](const Progress& progress) {
    EXPECT_TRUE(progress.stage.starts_with("frame "));
    return ++calls < 30 ? Continue::yes : Continue::cancel;
  };
  const VideoJobResult result = run(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.summary.frames, 30);
  EXPECT_EQ(open_tensor(folder / "out/mask.npy")->shape(), (Shape{60, 80, 30}));
}

TEST_F(VideoJobs, OptionsThatDoNotGoTogetherAreNamed) {
  VideoJobOptions options;
  options.rank = 2;
  refuses(options, {"`rank`", "`model`"});
  options = {};
  options.model = "cp";
  options.online = true;
  refuses(options, {"`online`", "cp"});
  options = {};
  options.save_state = "state";
  refuses(options, {"`save-state`", "`online`"});
  options = {};
  options.model = "median";
  refuses(options, {"`model`", "median", "low-rank"});
  options = {};
  options.mask_format = "gif";
  refuses(options, {"`mask-format`", "gif", "png"});
}

}  // namespace
}  // namespace sunder
