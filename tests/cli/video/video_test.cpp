// `sunder video` as a person with a camera uses it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Video : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_command({"generate", "--model", "scene", "--shape", "60,80,60", "--seed", "3",
                           "-o", "D", "-q"},
                          folder.path())
                  .code,
              0);
  }
  CommandRun video(Arguments more) {
    more.insert(more.begin(), "video");
    return run_command(more, folder.path());
  }
  Json summary(const std::string& out) {
    std::ifstream file(folder / out / "summary.json");
    return Json::parse(file);
  }
  double f_of(const std::string& mask) {
    const CommandRun run =
        video({"eval", "--mask", mask, "--truth", "D/truth/masks.npy", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out)["f"];
  }
  /// A clip as a camera would give it: the scene as a video file.
  void make_clip(const std::string& name, const std::string& format) {
    const CommandRun run = video({"D/T.npy", "-o", name, "--format", "none", "--foreground-format",
                                  format, "--frames", "0:30"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  const TemporaryFolder folder;
};

TEST_F(Video, MasksOfAnArray) {
  const CommandRun run = video({"D/T.npy", "-o", "out", "--mask-format", "npy"});
  ASSERT_EQ(run.code, 0) << run.err;
  const std::unique_ptr<TensorFile> mask = open_tensor(folder / "out" / "mask.npy");
  EXPECT_EQ(mask->shape(), (Shape{60, 80, 60}));
  EXPECT_EQ(mask->type(), ScalarType::u8);
  EXPECT_GT(f_of("out/mask.npy"), 0.9);
  EXPECT_EQ(names_in(folder / "out"),
            (std::vector<std::string>{"activity.csv", "background.npy", "foreground.npy",
                                      "mask.npy", "report.html", "summary.json"}));
  EXPECT_EQ(summary("out")["frames"], 60);
  EXPECT_EQ(video({"D/T.npy", "-o", "out"}).code, 3);
  EXPECT_EQ(video({"D/T.npy", "-o", "out", "--force", "-q"}).code, 0);
}

TEST_F(Video, EveryFormatAndModel) {
  for (const char* format : {"mp4", "mkv", "avi", "png", "npy"}) {
    const CommandRun run =
        video({"D/T.npy", "-o", std::string("out_") + format, "--format", format});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  EXPECT_GT(f_of("out_mp4/mask.mp4"), 0.9);
  EXPECT_GT(f_of("out_mkv/mask.mkv"), 0.9);
  EXPECT_GT(f_of("out_png/mask_%06d.png"), 0.9);
  EXPECT_EQ(video({"D/T.npy", "-o", "low", "--model", "low-rank", "--rank", "1"}).code, 0);
  EXPECT_GT(f_of("low/mask.npy"), 0.9);
  EXPECT_EQ(video({"D/T.npy", "-o", "cp", "--model", "cp"}).code, 0);
  EXPECT_EQ(
      video({"out_mp4/foreground.mp4", "-o", "again", "--scale", "0.5", "--stride", "2"}).code, 0);
  EXPECT_EQ(summary("again")["frames"], 30);
  EXPECT_EQ(summary("again")["width"], 40);
}

TEST_F(Video, AStreamThatIsResumedGivesTheSameMasks) {
  ASSERT_EQ(video({"D/T.npy", "-o", "whole", "--online"}).code, 0);
  ASSERT_EQ(video({"D/T.npy", "-o", "a", "--online", "--frames", "0:40", "--save-state", "s"}).code,
            0);
  ASSERT_EQ(
      video({"D/T.npy", "-o", "b", "--online", "--frames", "40:60", "--load-state", "s"}).code, 0);
  const auto mask = [&](const char* name) { return open_tensor(folder / name)->load(); };
  const LoadedTensor whole = mask("whole/mask.npy");
  const LoadedTensor first = mask("a/mask.npy");
  const LoadedTensor second = mask("b/mask.npy");
  for (Index t = 0; t < 60; ++t) {
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 80; ++j) {
        ASSERT_EQ(whole.view({i, j, t}),
                  t < 40 ? first.view({i, j, t}) : second.view({i, j, t - 40}));
      }
    }
  }
}

// In another order, a run that is killed in between would leave a state that has seen frames whose
// masks are nowhere.
TEST_F(Video, TheStateIsSavedAfterTheResults) {
  const CommandRun run = video({"D/T.npy", "-o", "out", "--online", "--save-state", "nowhere/s"});
  EXPECT_NE(run.code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/summary.json"));
}

TEST_F(Video, RawFramesOnStandardInput) {
  // Frames of 8 x 6: the partial one at the end is left out.
  std::string bytes;
  for (int t = 0; t < 30; ++t) bytes += std::string(48, static_cast<char>(100 + t % 2));
  write_bytes(folder / "raw", bytes + "part");
  const CommandRun run =
      run_command({"video", "-", "--size", "8x6", "-o", "out", "--format", "npy"}, folder.path(),
                  {}, (folder / "raw").string());
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(summary("out")["frames"], 30);
  EXPECT_EQ(summary("out")["warnings"].size(), 1U);
}

TEST_F(Video, DamagedClipsKeepWhatWasDecoded) {
  make_clip("clip", "mkv");
  const std::string bytes = read_bytes(folder / "clip" / "foreground.mkv");
  write_bytes(folder / "cut.mkv", bytes.substr(0, bytes.size() * 2 / 3));
  CommandRun run = video({"cut.mkv", "-o", "cut"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning"));
  EXPECT_GE(summary("cut")["frames"], 1);
  EXPECT_LT(summary("cut")["frames"], 30);
  EXPECT_FALSE(summary("cut")["warnings"].empty());
  std::string noisy = bytes;
  for (std::size_t k = bytes.size() / 2; k < bytes.size() / 2 + 40; ++k) {
    noisy[k] = static_cast<char>(noisy[k] ^ 0x5a);
  }
  write_bytes(folder / "noisy.mkv", noisy);
  run = video({"noisy.mkv", "-o", "noisy"});
  EXPECT_TRUE(run.code == 0 || run.code == 3) << run.err;
}

TEST_F(Video, DegenerateClips) {
  ASSERT_EQ(video({"D/T.npy", "-o", "one", "--frames", "5:6"}).code, 0);
  EXPECT_EQ(summary("one")["frames"], 1);
  const std::string black(48 * 40, '\0');
  write_bytes(folder / "black", black);
  ASSERT_EQ(run_command({"video", "-", "--size", "8x6", "-o", "black_out", "--format", "mp4"},
                        folder.path(), {}, (folder / "black").string())
                .code,
            0);
  EXPECT_EQ(summary("black_out")["mean_object_share"], 0);
}

TEST_F(Video, RefusesWhatIsNoVideo) {
  write_bytes(folder / "empty.mp4", "");
  write_bytes(folder / "text.mp4", "this is no video, however it is called");
  // Sound alone: a header of 44 bytes and a second of silence.
  const std::string header(
      "RIFF\x24\x40\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0"
      "\x01\0\x08\0data\0\x40\0\0",
      44);
  write_bytes(folder / "sound.wav", header + std::string(16384, '\x80'));
  for (const char* name : {"empty.mp4", "text.mp4", "sound.wav", "missing.mp4", "D"}) {
    const CommandRun run = video({name, "-o", "out"});
    EXPECT_EQ(run.code, 3) << name << ": " << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(fs::exists(folder / "out")) << name;
  }
  const CommandRun run = video({"D/T.npy", "-o", "out", "--frames", "60:70"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("60"));
}

TEST_F(Video, RefusesOptionsThatDoNotFit) {
  const Arguments cases[] = {{"-o", "out"},
                             {"D/T.npy"},
                             {"D/T.npy", "-o", "out", "--rank", "2"},
                             {"D/T.npy", "-o", "out", "--model", "cp", "--online"},
                             {"D/T.npy", "-o", "out", "--save-state", "s"},
                             {"D/T.npy", "-o", "out", "--frames", "5"},
                             {"D/T.npy", "-o", "out", "--frames", "a:b"},
                             {"D/T.npy", "-o", "out", "--stride", "0"},
                             {"D/T.npy", "-o", "out", "--scale", "0"},
                             {"D/T.npy", "-o", "out", "--format", "gif"},
                             {"D/T.npy", "-o", "out", "--model", "mog2"},
                             {"-", "-o", "out", "--size", "8"},
                             {"eval", "--mask", "D/T.npy"}};
  for (const Arguments& words : cases) {
    const CommandRun run = video(words);
    EXPECT_EQ(run.code, 2) << words.front() << ' ' << words.back() << ": " << run.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
}

TEST_F(Video, EvaluationKnowsFramesAndLabels) {
  EXPECT_EQ(f_of("D/truth/masks.npy"), 1);
  CommandRun run = video({"eval", "--mask", "D/truth/masks.npy", "--truth", "D/truth/masks.npy",
                          "--background", "0,255", "--json"});
  EXPECT_EQ(Json::parse(run.out)["precision"], 0);
  run = video({"eval", "--mask", "D/truth/masks.npy", "--truth", "D/truth/masks.npy", "--ignore",
               "255", "--json"});
  EXPECT_EQ(Json::parse(run.out)["f"], 1);
  EXPECT_EQ(
      video({"eval", "--mask", "D/T.npy", "--truth", "D/truth/masks.npy", "--index", "1,2"}).code,
      3);
  EXPECT_EQ(video({"eval", "--mask", "D/T.npy", "--truth", "D/truth/background.npy"}).code, 3);
}

TEST_F(Video, EvaluationTakesFramesFromAListOrAFile) {
  const LoadedTensor masks = open_tensor(folder / "D" / "truth" / "masks.npy")->load();
  const Shape& shape = masks.view.shape();
  DenseTensor some(Shape{shape[0], shape[1], 2}, ScalarType::u8);
  for (Index i = 0; i < shape[0]; ++i) {
    for (Index j = 0; j < shape[1]; ++j) {
      for (Index k = 0; k < 2; ++k) {
        some.typed<std::uint8_t>()[(i * shape[1] + j) * 2 + k] =
            static_cast<std::uint8_t>(masks.view({i, j, k == 0 ? 3 : 7}));
      }
    }
  }
  write_npy(folder / "some.npy", some.view());
  write_npy(folder / "index.npy", Vector{{3, 7}});
  const auto eval = [&](const std::string& index) {
    return video(
        {"eval", "--mask", "D/truth/masks.npy", "--truth", "some.npy", "--index", index, "--json"});
  };
  for (const char* index : {"3,7", "index.npy"}) {
    const CommandRun run = eval(index);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(Json::parse(run.out)["f"], 1) << index;
  }
  for (const char* wrong : {"3,", ",3", "3,,7", ",", "99999999999999999999"}) {
    EXPECT_EQ(eval(wrong).code, 2) << wrong;
  }
  for (const char* wrong : {"7,3", "3,3", "3", "3,7,9", "3,1000000"}) {
    EXPECT_EQ(eval(wrong).code, 3) << wrong;
  }
  for (const Vector& wrong : {Vector{{-5, 7}}, Vector{{3, 7.5}}, Vector{{3, 1e300}}, Vector{{7, 3}},
                              Vector{{3, std::nan("")}}}) {
    write_npy(folder / "index.npy", wrong);
    const CommandRun run = eval("index.npy");
    EXPECT_EQ(run.code, 3) << wrong.transpose();
    EXPECT_THAT(run.err, HasSubstr("index.npy"));
  }
}

TEST_F(Video, CtrlCKeepsWhatWasDecoded) {
  // A pipe that stays open: the clip has no end.
  write_bytes(folder / "raw", std::string(48 * 200, 'a'));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int both = ::open((folder / "pipe").c_str(), O_RDWR);
  ASSERT_GE(both, 0);
  RunningCommand command(
      {"video", "-", "--size", "8x6", "--online", "-o", "out", "--format", "npy"}, folder.path(),
      {}, (folder / "pipe").string());
  const std::string bytes(48 * 200, 'a');
  ASSERT_EQ(::write(both, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  std::this_thread::sleep_for(1s);
  command.send(SIGINT);
  const CommandRun run = command.wait(10s);
  ::close(both);
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(summary("out")["frames"], 200);
  EXPECT_EQ(summary("out")["interrupted"], true);
}

}  // namespace
}  // namespace sunder
