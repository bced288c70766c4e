#include <regex>
#include <set>

#include "cli/command_fixture.hpp"
#include "io/other_programs.hpp"

namespace sunder {
namespace {

using namespace testing;

/// The words of a page's name: sunder-learn-topics.1 -> learn, topics.
Arguments words_of(const std::string& page) {
  Arguments words;
  const std::string stem = fs::path(page).stem().string();
  const std::regex word("-([a-z]+)");
  for (std::sregex_iterator it(stem.begin(), stem.end(), word), end; it != end; ++it) {
    words.push_back((*it)[1]);
  }
  return words;
}

/// Of a help, whose lines on options begin so.
std::set<std::string> long_flags(const std::string& help) {
  std::set<std::string> flags;
  const std::regex flag("(?:^|\n)  (?:-[a-zA-Z],)?(--[a-z][a-z0-9-]*)");
  for (std::sregex_iterator it(help.begin(), help.end(), flag), end; it != end; ++it) {
    flags.insert((*it)[1]);
  }
  return flags;
}

std::string in_roff(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

class Man : public CommandTest {
 protected:
  void SetUp() override {
    const CommandRun written = run({"man", "-o", "pages"});
    ASSERT_EQ(written.code, 0) << written.err;
    pages = testing::names_in(folder / "pages");
  }

  std::vector<std::string> pages;
};

TEST_F(Man, HasAPageForEachCommand) {
  EXPECT_THAT(pages, IsSupersetOf({"sunder.1", "sunder-decompose.1", "sunder-generate.1",
                                   "sunder-reproduce.1", "sunder-man.1"}));
#if SUNDER_WITH_LEARN
  EXPECT_THAT(pages, Contains("sunder-learn-topics.1"));
#endif
#if SUNDER_WITH_VIDEO
  EXPECT_THAT(pages, Contains("sunder-video-eval.1"));
#endif
  EXPECT_THAT(pages,
              ::testing::Not(Contains("sunder-complete-word.1")));  // for the shells' scripts
}

TEST_F(Man, EveryOptionOfTheHelpIsInThePage) {
  for (const std::string& page : pages) {
    Arguments words = words_of(page);
    words.emplace_back("--help");
    const std::set<std::string> flags = long_flags(run_command(words, folder.path()).out);
    EXPECT_THAT(flags, Contains("--help")) << page;
    const std::string text = read_bytes(folder / "pages" / page);
    for (const std::string& flag : flags) {
      EXPECT_THAT(text, HasSubstr("\\fB" + in_roff(flag) + "\\fR")) << page;
    }
  }
}

#if SUNDER_WITH_LEARN
TEST_F(Man, PrintsOnePage) {
  const CommandRun run = run_command({"man", "learn", "topics"}, folder.path());
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, read_bytes(folder / "pages/sunder-learn-topics.1"));
}
#endif

TEST_F(Man, RefusesWhatIsNoCommand) {
  const CommandRun run = run_command({"man", "learn", "nothing"}, folder.path());
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("there is no command 'learn nothing'"));
  EXPECT_EQ(run_command({"man", "learn", "-o", "pages"}, folder.path()).code, 2);
}

TEST_F(Man, TypesetsWithoutWarnings) {
  if (!testing::succeeds("man --version")) GTEST_SKIP() << "needs man";
  for (const std::string& page : pages) {
    const std::string command = "cd '" + folder.path().string() +
                                "' && LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l pages/" + page +
                                " 2> warnings > text";
    EXPECT_EQ(std::system(command.c_str()), 0) << page;
    EXPECT_EQ(read_bytes(folder / "warnings"), "") << page;
    EXPECT_THAT(read_bytes(folder / "text"), HasSubstr("EXIT STATUS")) << page;
  }
}

TEST_F(Man, PassesMandocsLint) {
  if (!testing::succeeds("command -v mandoc")) GTEST_SKIP() << "needs mandoc";
  for (const std::string& page : pages) {
    // The pages have no date on purpose.
    const std::string command = "cd '" + folder.path().string() +
                                "' && mandoc -T lint -W warning pages/" + page +
                                " | grep -v 'missing date' > warnings";
    (void)!std::system(command.c_str());
    EXPECT_EQ(read_bytes(folder / "warnings"), "") << page;
  }
}

}  // namespace
}  // namespace sunder
