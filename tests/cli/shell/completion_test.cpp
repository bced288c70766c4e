#include <sstream>

#include "cli/command_fixture.hpp"
#include "io/other_programs.hpp"

namespace sunder {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Completion : public CommandTest {
 protected:
  /// What the command offers for the last word, without the meanings.
  Arguments offered(const Arguments& words) {
    const CommandRun answer = run(joined({"complete-word", "--"}, words));
    EXPECT_EQ(answer.code, 0) << answer.err;
    return first_fields(answer.out);
  }

  /// The same through a shell, whose script writes one offer on each line.
  Arguments through_shell(const std::string& shell, const std::string& script) {
    testing::write_bytes(folder / "script", script);
    const std::string command = "cd '" + folder.path().string() + "' && " + shell + " script > out";
    EXPECT_EQ(std::system(command.c_str()), 0) << shell;
    return first_fields(read_bytes(folder / "out"));
  }

  /// Words for COMP_WORDS: the first is the command, the last the one under the cursor.
  Arguments in_bash(const std::string& words, const std::string& last) {
    return through_shell("bash", "source <('" SUNDER_COMMAND
                                 "' completion bash)\n"
                                 "COMP_WORDS=(sunder " +
                                     words + " " + last +
                                     ")\n"
                                     "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                     "_sunder '" SUNDER_COMMAND "' " +
                                     last +
                                     "\n"
                                     "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  }

  static Arguments first_fields(const std::string& text) {
    Arguments fields;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) fields.push_back(line.substr(0, line.find('\t')));
    }
    return fields;
  }
};

TEST_F(Completion, OffersCommandsAndFlags) {
  EXPECT_THAT(offered({"dec"}), ElementsAre("decompose"));
  EXPECT_THAT(offered({""}), IsSupersetOf({"generate", "decompose", "completion"}));
  EXPECT_THAT(offered({""}), Not(Contains("complete-word")));
  EXPECT_THAT(offered({"decompose", "--met"}), ElementsAre("--method"));
  EXPECT_THAT(offered({"decompose", "T.npy", "-"}), IsSupersetOf({"-r", "--rank", "--seed"}));
}

#if SUNDER_WITH_LEARN
TEST_F(Completion, OffersTheFlagsOfThisCommandOnly) {
  EXPECT_THAT(offered({"learn", "to"}), ElementsAre("topics"));
  EXPECT_THAT(offered({"learn", "topics", "--method"}), IsEmpty());
}
#endif

TEST_F(Completion, OffersTheValuesOfAClosedSet) {
  EXPECT_THAT(offered({"decompose", "--method", "ro"}), ElementsAre("robust-cp"));
  EXPECT_THAT(offered({"decompose", "-m", "ro"}), ElementsAre("robust-cp"));
  EXPECT_THAT(offered({"decompose", "--method=ro"}), ElementsAre("--method=robust-cp"));
  EXPECT_THAT(offered({"generate", "--dtype", ""}), ElementsAre("f64", "f32"));
  EXPECT_THAT(offered({"completion", "f"}), ElementsAre("fish"));
#if SUNDER_WITH_VIDEO
  EXPECT_THAT(offered({"video", "--model", "b"}), ElementsAre("background"));
#endif
}

TEST_F(Completion, LeavesFilesToTheShell) {
  EXPECT_THAT(offered({"decompose", "T"}), ElementsAre(":files"));
  EXPECT_THAT(offered({"decompose", "--truth", ""}), ElementsAre(":folders"));
  EXPECT_THAT(offered({"decompose", "--seed", ""}), IsEmpty());                // a number
  EXPECT_THAT(offered({"decompose", "T.npy", "x"}), IsEmpty());                // one tensor only
  EXPECT_THAT(offered({"decompose", "--force", "T"}), ElementsAre(":files"));  // takes no value
}

TEST_F(Completion, WorksInBash) {
  if (!testing::succeeds("bash --version")) GTEST_SKIP() << "needs bash";
  fs::create_directory(folder / "results");
  testing::write_bytes(folder / "res ult.npy", "");
  EXPECT_THAT(in_bash("decompose", "--met"), ElementsAre("--method"));
  EXPECT_THAT(in_bash("decompose --method", "ro"), ElementsAre("robust-cp"));
  EXPECT_THAT(in_bash("decompose --method =", "ro"), ElementsAre("robust-cp"));
  EXPECT_THAT(in_bash("decompose", "res"),
              ::testing::UnorderedElementsAre("results", "res ult.npy"));
  EXPECT_THAT(in_bash("decompose -o", "res"), ElementsAre("results"));
}

TEST_F(Completion, WorksInFish) {
  if (!testing::succeeds("fish --version")) GTEST_SKIP() << "needs fish";
  const std::string begin =
      "set -x HOME $PWD; set -x PATH (dirname '" SUNDER_COMMAND
      "') $PATH; sunder completion fish | source; complete -C 'sunder decompose ";
  EXPECT_THAT(through_shell("fish", begin + "--met'"), ElementsAre("--method"));
  EXPECT_THAT(through_shell("fish", begin + "--method ro'"), ElementsAre("robust-cp"));
}

TEST_F(Completion, IsReadByZsh) {
  if (!testing::succeeds("zsh --version")) GTEST_SKIP() << "needs zsh";
  // Its functions run only while a line is edited; these stand in for them.
  const std::string script =
      "compdef() { }\n_describe() { print -l -- $offers }\n_files() { print files $@ }\n"
      "source <('" SUNDER_COMMAND
      "' completion zsh)\n"
      "words=('" SUNDER_COMMAND "' decompose ";
  const std::string end = ")\nCURRENT=$#words\n_sunder || true\n";
  EXPECT_THAT(through_shell("zsh -f", script + "--met" + end),
              ElementsAre(::testing::StartsWith("--method:")));
  EXPECT_THAT(through_shell("zsh -f", script + "--method ro" + end), ElementsAre("robust-cp:"));
  EXPECT_THAT(through_shell("zsh -f", script + "--truth ''" + end), ElementsAre("files -/"));
}

}  // namespace
}  // namespace sunder
