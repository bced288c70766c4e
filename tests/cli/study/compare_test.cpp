#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

class Compare : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_command({"generate", "--shape", "30,30,30", "--rank", "2", "--density", "0.1",
                           "-o", "D", "-q"},
                          folder.path())
                  .code,
              0);
  }
  CommandRun compare(std::vector<std::string> more) {
    std::vector<std::string> words{"compare", "D/T.npy", "--rank", "2", "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words, folder.path());
  }
  const TemporaryFolder folder;
};

TEST_F(Compare, RanksAllMethodsAndAdvises) {
  const CommandRun run =
      compare({"--methods", "all", "--truth", "D/truth", "--json", "--time-limit", "20"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json result = Json::parse(run.out);
  ASSERT_GE(result["rows"].size(), 7U);
  EXPECT_EQ(result["rows"][0]["method"], "robust-cp");
  EXPECT_LT(result["rows"][0]["error_low_rank"].get<double>(), 1e-10);
  EXPECT_EQ(result["corruption"], "scattered");
  // rtd cannot take this tensor, and says so in its row.
  bool said = false;
  for (const Json& row : result["rows"]) said = said || row["status"] == "failed";
  EXPECT_TRUE(said);
}

TEST_F(Compare, WritesAFolder) {
  const CommandRun run = compare({"--methods", "robust-cp,altproj-flat", "-o", "C"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("held out"));
  EXPECT_TRUE(fs::exists(folder / "C" / "comparison.json"));
  EXPECT_TRUE(fs::exists(folder / "C" / "comparison.csv"));
  EXPECT_EQ(compare({"--methods", "robust-cp", "-o", "C"}).code, 3);
  EXPECT_EQ(compare({"--methods", "robust-cp", "-o", "C", "--force"}).code, 0);
}

TEST_F(Compare, RefusesWhatItCannotUse) {
  EXPECT_EQ(compare({"--methods", "robust-cp,magic"}).code, 2);
  EXPECT_EQ(compare({"--time-limit", "0"}).code, 2);
  EXPECT_EQ(compare({"--held-out", "2"}).code, 2);
  EXPECT_EQ(compare({"--truth", "nowhere"}).code, 3);
  EXPECT_EQ(run_command({"compare", "none.npy", "--rank", "2"}, folder.path()).code, 3);
}

}  // namespace
}  // namespace sunder
