#include "cli/command_fixture.hpp"
#include "report/markup.hpp"

namespace sunder {
namespace {

using namespace testing;

class Report : public CommandTest {
 protected:
  void SetUp() override {
    run({"generate", "-q", "--shape", "14,12,10", "--rank", "1", "--density", "0.05", "-o", "D"});
    run({"decompose", "-q", "D/T.npy", "--rank", "1", "--truth", "D/truth", "-o", "R"});
  }
  CommandRun run(const Arguments& arguments, int code = 0) const {
    CommandRun ended = CommandTest::run(arguments);
    EXPECT_EQ(ended.code, code) << ended.err;
    return ended;
  }
  std::string page() const { return read_bytes(folder / "R/report.html"); }
};

TEST_F(Report, IsThePageThatDecomposeWrote) {
  const std::string written = page();
  ASSERT_EQ(section_data(written, "images")[0]["views"].size(), 3u);
  fs::remove(folder / "R/report.html");
  const CommandRun spoken = run({"report", "R"});
  EXPECT_THAT(spoken.out, HasSubstr("R/report.html"));
  EXPECT_TRUE(page() == written);
}

TEST_F(Report, ATensorThatHasGoneIsSaidAndCanBeNamed) {
  const std::string written = page();
  fs::rename(folder / "D/T.npy", folder / "moved.npy");
  const Json summary = Json::parse(run({"report", "--json", "R"}).out);
  EXPECT_EQ(summary["slices"], false);
  EXPECT_THAT(page(), HasSubstr("There are no pictures of slices: "));
  EXPECT_THAT(page(), HasSubstr("D/T.npy"));
  EXPECT_THAT(page(), HasSubstr("How large the entries of S are"));
  run({"report", "-q", "R", "--tensor", "moved.npy"});
  EXPECT_TRUE(page() == written);
  EXPECT_THAT(run({"report", "R", "--tensor", "absent.npy"}, 3).err, HasSubstr("absent.npy"));
}

TEST_F(Report, AnotherTensorIsRefused) {
  run({"generate", "-q", "--shape", "9,9,9", "--rank", "1", "-o", "E"});
  const CommandRun refused = run({"report", "R", "--tensor", "E/T.npy"}, 3);
  EXPECT_THAT(refused.err, HasSubstr("9 x 9 x 9"));
  EXPECT_THAT(refused.err, HasSubstr("14 x 12 x 10"));
}

TEST_F(Report, GroupedModesAreGroupedAgain) {
  run({"decompose", "-q", "D/T.npy", "--rank", "1", "--group", "0,1", "--force", "-o", "R"});
  const std::string written = page();
  run({"report", "-q", "R"});
  EXPECT_TRUE(page() == written);
  EXPECT_EQ(section_data(written, "images")[0]["views"].size(), 1u);
}

TEST_F(Report, AHostileNameIsOnlyText) {
  const std::string name = "<script>alert(1)</script>.npy";
  fs::create_directories((folder / name).parent_path());
  fs::copy_file(folder / "D/T.npy", folder / name);
  run({"decompose", "-q", name, "--rank", "1", "--force", "-o", "R"});
  EXPECT_THAT(page(), Not(HasSubstr("<script>alert")));
  EXPECT_EQ(testing::markup_fault(page()), "");
}

TEST_F(Report, AFolderThatIsNoResultIsRefused) {
  EXPECT_THAT(run({"report", "absent"}, 3).err, HasSubstr("absent"));
  EXPECT_THAT(run({"report", "D/truth"}, 3).err, HasSubstr("summary.json"));
  write_bytes(folder / "R/summary.json", "{");
  EXPECT_THAT(run({"report", "R"}, 3).err, HasSubstr("sunder decompose -o"));
  EXPECT_THAT(page(), HasSubstr("</html>"));  // the old page is still there
}

}  // namespace
}  // namespace sunder
