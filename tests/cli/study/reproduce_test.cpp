#include <fstream>

#include "cli/command_fixture.hpp"
#include "sunder/io/npy.hpp"
#include "video/scene_truth.hpp"

namespace sunder {
namespace {

using namespace testing;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Reproduce : public CommandTest {
 protected:
  CommandRun reproduce(const Arguments& more) { return run(joined({"reproduce"}, more)); }
};

TEST_F(Reproduce, GoesOnWhereItStopped) {
  const std::vector<std::string> command{"fig1", "--quick", "--n", "20", "--runs", "1", "-o", "R"};
  ASSERT_EQ(reproduce(command).code, 0);
  const fs::path log = folder / "R" / "runs.jsonl";
  const std::vector<std::string> before = lines_of(log);
  ASSERT_EQ(before.size(), 4U * 2U * 6U);
  {
    // As an interruption leaves it: some runs missing, the last line cut off.
    std::ofstream out(log);
    for (std::size_t k = 0; k + 5 < before.size(); ++k) out << before[k] << '\n';
    out << before.back().substr(0, before.back().size() / 2);
  }
  const CommandRun again = reproduce(command);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("are already done"));
  const std::vector<std::string> after = lines_of(log);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t k = 0; k + 5 < before.size(); ++k) EXPECT_EQ(after[k], before[k]);
  for (const std::string& line : after) EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  for (const char* file : {"runs.csv", "cells.csv", "summary.json", "report.html", "fig1_a.svg",
                           "fig1_d.svg", "fig2_a.svg"}) {
    EXPECT_TRUE(fs::exists(folder / "R" / file)) << file;
  }
  EXPECT_EQ(lines_of(folder / "R" / "runs.csv").size(), before.size() + 1);
}

TEST_F(Reproduce, FindsWhereMethodsBeginToFail) {
  const CommandRun run = reproduce({"phase", "--quick", "--n", "20", "--runs", "1", "-o", "R"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(lines_of(folder / "R" / "runs.jsonl").size(), 2U * 3U * 12U);
  EXPECT_TRUE(fs::exists(folder / "R" / "report.html"));
}

#if SUNDER_WITH_VIDEO
TEST_F(Reproduce, ComparesMethodsOnAClip) {
  const Scene scene = test::small_scene();
  const std::vector<Index> frames{4, 17, 30};
  write_npy(folder / "clip.npy", scene.video.view());
  write_npy(folder / "masks.npy", test::masks_at(scene, frames).view());
  write_npy(folder / "frames.npy", Vector{{4, 17, 30}});
  const std::vector<std::string> command{
      "fig3", "--clip", "clip.npy", "--masks", "masks.npy", "--frames", "frames.npy", "-o", "R"};
  const CommandRun run = reproduce(command);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("background model (ours)"));
  EXPECT_EQ(lines_of(folder / "R" / "fig3.csv").size(), 4U);
  EXPECT_TRUE(fs::exists(folder / "R" / "report.html"));

  write_npy(folder / "frames.npy", Vector{{4, 17.5, 30}});
  const CommandRun refused = reproduce(command);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("its entry 1 is 17.5"));
}
#endif

TEST_F(Reproduce, RefusesWhatItCannotDo) {
  const struct {
    std::vector<std::string> words;
    const char* said;
  } cases[] = {{{"fig3", "-o", "R"}, SUNDER_WITH_VIDEO != 0 ? "--clip" : "SUNDER_VIDEO=ON"},
               {{"fig1", "-o", "R", "--runs", "0"}, "--runs"},
               {{"fig1", "-o", "R", "--n", "3"}, "--n"},
               {{"fig1", "-o", "R", "--time-limit", "-1"}, "--time-limit"},
               {{"fig9", "-o", "R"}, "fig9"}};
  for (const auto& [words, said] : cases) {
    const CommandRun run = reproduce(words);
    EXPECT_EQ(run.code, 2) << said;
    EXPECT_THAT(run.err, HasSubstr(said));
  }
  EXPECT_FALSE(fs::exists(folder / "R"));
  std::ofstream(folder / "file") << "x";
  EXPECT_EQ(reproduce({"fig1", "--quick", "-o", "file/R"}).code, 3);
}

}  // namespace
}  // namespace sunder
