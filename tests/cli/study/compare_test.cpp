#include "cli/command_fixture.hpp"

namespace sunder {
namespace {

using namespace testing;

class Compare : public CommandTest {
 protected:
  void SetUp() override { generate({"--shape", "30,30,30", "--rank", "2", "--density", "0.1"}); }
  CommandRun compare(const Arguments& more) {
    return run(joined({"compare", "D/T.npy", "--rank", "2", "--threads", "1"}, more));
  }
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
