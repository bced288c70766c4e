#include "sunder/video/open_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

TEST(OpenFrames, RefusesOptionsOutsideTheirRange) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.npy", testing::clip_format(4, 6), 5);
  const auto refuse = [&](const auto& change, const std::vector<std::string>& parts) {
    FrameOptions options;
    change(options);
    expect_error<OptionError>([&] { open_frames((folder / "a.npy").string(), options); }, parts);
  };
  refuse([](FrameOptions& o) { o.stride = 0; }, {"stride is 0"});
  refuse([](FrameOptions& o) { o.stride = -2; }, {"stride is -2"});
  refuse([](FrameOptions& o) { o.scale = 0; }, {"scale is 0"});
  refuse([](FrameOptions& o) { o.scale = -1; }, {"scale is -1"});
  refuse([](FrameOptions& o) { o.scale = 1.5; }, {"scale is 1.5"});
  refuse([](FrameOptions& o) { o.scale = std::nan(""); }, {"scale is nan"});
  refuse([](FrameOptions& o) { o.first = -1; }, {"frame -1"});
  refuse([](FrameOptions& o) { o.first = 3, o.last = 3; }, {"frame 3"});
  refuse([](FrameOptions& o) { o.fps = -1; }, {"-1 frames per second"});
  refuse([](FrameOptions& o) { o.fps = std::numeric_limits<double>::infinity(); }, {"inf"});
  refuse([](FrameOptions& o) { o.threads = 0; }, {"0 threads"});
  refuse([](FrameOptions& o) { o.timeout_seconds = 0; }, {"time-out"});
  for (const std::string layout : {"hw", "hwtt", "abc", "hwtx"}) {
    refuse([&](FrameOptions& o) { o.layout = layout; }, {layout, "hwct"});
  }
}

TEST(OpenFrames, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.txt", "some text\nand more of it\n");
  testing::write_bytes(folder / "a.mp4", std::string(3000, '\7'));
  testing::write_bytes(folder / "empty.mp4", "");
  const auto refuse = [&](const std::string& name, const std::vector<std::string>& parts) {
    expect_error<InputError>([&] { open_frames(name, {}); }, parts);
  };
  refuse((folder / "a.txt").string(), {"a.txt", "no video"});
  refuse((folder / "a.mp4").string(), {"a.mp4", "no video"});
  refuse((folder / "empty.mp4").string(), {"empty"});
  refuse((folder / "none.mp4").string(), {"none.mp4", "no such file"});
  refuse(folder.path().string(), {"folder"});
  refuse("/dev/null", {"/dev/null", "not a regular file"});
  refuse("", {"no such file"});
}

/// Only "://" makes an address: these are names of files that are not there.
TEST(OpenFrames, NamesAreNotAddresses) {
  for (const std::string name : {"http:localhost", "tcp:127.0.0.1:1", "concat:a.avi|b.avi",
                                 "pipe:0", "testsrc=size=10x10", "rtsp:a"}) {
    expect_error<InputError>([&] { open_frames(name, {}); }, {name, "no such file"});
  }
  // Not over the network, and so not allowed by an address.
  for (const std::string name : {"file:///etc/hostname", "subfile,,start,0,end,9,,:file:///a"}) {
    expect_error<InputError>([&] { open_frames(name, {}); }, {name});
  }
}

/// The port is closed: with a connection attempt the message would be another one.
TEST(OpenFrames, APlaylistDoesNotOpenTheNetwork) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.m3u8", "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n");
  expect_error<InputError>([&] { open_frames((folder / "a.m3u8").string(), {}); }, {"no video"});
}

/// Names with a colon or a pattern are files if such files are there.
TEST(OpenFrames, ANameThatExistsIsThatFile) {
  const TemporaryFolder folder;
  const FrameFormat format = testing::clip_format(4, 6);
  for (const std::string name : {"a:b.npy", "a*b.npy", "a?.npy"}) {
    testing::write_clip(folder / name, format, 3);
    const auto source = open_frames((folder / name).string(), {});
    testing::expect_clip(testing::all_frames(*source), format, 3);
  }
}

}  // namespace
}  // namespace sunder
