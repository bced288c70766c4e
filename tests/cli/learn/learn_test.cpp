// `sunder learn` as a person with documents or samples uses it.

#include <fstream>
#include <sstream>

#include "cli/command_fixture.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using namespace testing;

class Learn : public CommandTest {
 protected:
  CommandRun run(const std::string& line) {
    std::istringstream words(line);
    Arguments arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    return CommandTest::run(arguments);
  }
  void run_well(const std::string& line) {
    const CommandRun done = run(line);
    ASSERT_EQ(done.code, 0) << line << "\n" << done.err;
  }
};

TEST_F(Learn, TopicsOfExactMomentsWithACorruptedBlock) {
  run_well(
      "generate --model topics --rank 3 --words 60 --moments exact --corrupt-words 0.1 --seed 2 "
      "-o D -q");
  const std::string learn =
      "learn topics --m1 D/m1.npy --m2 D/m2.npy --m3 D/m3.npy --topics 3 --truth D/truth ";
  const CommandRun robust = run(learn + "--json -o out");
  ASSERT_EQ(robust.code, 0) << robust.err;
  const Json summary = Json::parse(robust.out);
  EXPECT_LT(summary["mean_l1_error"], 1e-8);
  EXPECT_EQ(summary["corrupted"].size(), 6U);
  EXPECT_EQ(summary["corrupted_recall"], 1);
  EXPECT_EQ(summary["corrupted_precision"], 1);
  EXPECT_EQ(summary["certificate"]["level"], "exact");
  EXPECT_EQ(names_in(folder / "out"),
            (std::vector<std::string>{"corrupted.npy", "report.html", "strength.npy",
                                      "summary.json", "topics.npy", "weights.npy"}));
  EXPECT_EQ(read_npy_matrix(folder / "out" / "topics.npy").rows(), 60);
  const CommandRun plain = run(learn + "--json --plain");
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_GT(Json::parse(plain.out)["mean_l1_error"], 0.1);
  EXPECT_EQ(run(learn + "-o out").code, 3);  // it is there already
  EXPECT_EQ(run(learn + "-o out --force -q").code, 0);
}

TEST_F(Learn, CountsAndDocwordTextAreTheSameDocuments) {
  write_bytes(folder / "docword.txt",
              "4\n3\n8\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n3 3 4\n3 1 1\n4 3 2\n4 2 2\n");
  Matrix counts(4, 3);
  counts << 2, 1, 0, 1, 3, 0, 1, 0, 4, 0, 2, 2;
  write_npy(folder / "counts.npy", counts);
  const CommandRun text = run("learn topics docword.txt --topics 1 --plain --json");
  const CommandRun array = run("learn topics counts.npy --topics 1 --plain --json");
  ASSERT_EQ(text.code, 0) << text.err;
  ASSERT_EQ(array.code, 0) << array.err;
  EXPECT_EQ(Json::parse(text.out)["top_words"], Json::parse(array.out)["top_words"]);
  EXPECT_EQ(Json::parse(text.out)["weights"], Json::parse(array.out)["weights"]);
  EXPECT_EQ(Json::parse(text.out)["documents"], 4);
}

TEST_F(Learn, HostileWordsAreOnlyText) {
  write_bytes(folder / "docword.txt",
              "4\n3\n8\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n3 3 4\n3 1 1\n4 3 2\n4 2 2\n");
  write_bytes(folder / "vocabulary.txt", "</script><img src=x>\n\x1b]0;title\x07\nthree\n");
  const CommandRun done =
      run("learn topics docword.txt --topics 1 --plain --vocabulary vocabulary.txt -o out");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("?]0;title?"));
  EXPECT_EQ(done.out.find('\x1b'), std::string::npos);
  const std::string page = testing::read_bytes(folder / "out" / "report.html");
  EXPECT_THAT(page, HasSubstr("img src=x"));
  EXPECT_EQ(page.find("<img src=x"), std::string::npos);
}

TEST_F(Learn, MalformedDocumentsAreNamed) {
  const auto complaint = [&](const std::string& text) {
    write_bytes(folder / "bad.txt", text);
    const CommandRun done = run("learn topics bad.txt --topics 1");
    EXPECT_EQ(done.code, 3) << text;
    return done.err;
  };
  EXPECT_THAT(complaint("2\n3\n"), HasSubstr("the number of entries"));
  EXPECT_THAT(complaint("two\n3\n1\n"), HasSubstr("line 1"));
  EXPECT_THAT(complaint("2\n3\n1\n1 4 1\n"), HasSubstr("from 1 to 3"));
  EXPECT_THAT(complaint("2\n3\n1\n3 1 1\n"), HasSubstr("from 1 to 2"));
  EXPECT_THAT(complaint("2\n3\n1\n1 1 0\n"), HasSubstr("a count"));
  EXPECT_THAT(complaint("2\n3\n2\n2 1 1\n1 1 1\n"), HasSubstr("sorted"));
  EXPECT_THAT(complaint("2\n3\n1\n1 1 1\n2 1 1\n"), HasSubstr("promises"));
  EXPECT_THAT(complaint("2\n3\n1\n1 1 1.5\n"), HasSubstr("no number"));
  EXPECT_THAT(complaint("2\n3\n2\n1 1 1\n2 2 1\n"), HasSubstr("three words"));
  EXPECT_EQ(run("learn topics nowhere.txt --topics 1").code, 3);
}

TEST_F(Learn, MistakesInTheCommandLine) {
  write_bytes(folder / "docword.txt", "1\n3\n3\n1 1 2\n1 2 1\n1 3 1\n");
  write_bytes(folder / "vocabulary.txt", "one\ntwo\n");
  EXPECT_EQ(run("learn").code, 2);
  EXPECT_EQ(run("learn topics docword.txt").code, 2);
  EXPECT_EQ(run("learn topics --topics 2").code, 2);
  EXPECT_EQ(run("learn topics docword.txt --topics 1 --alpha0 -1").code, 2);
  EXPECT_EQ(run("learn topics --topics 2 --m1 a.npy").code, 2);
  EXPECT_EQ(run("learn topics --topics 2 --m1 a.npy --m2 b.npy --m3 c.npy").code, 3);
  const CommandRun few = run("learn topics docword.txt --topics 1 --vocabulary vocabulary.txt");
  EXPECT_EQ(few.code, 3);
  EXPECT_THAT(few.err, HasSubstr("has 2 words"));
  Matrix counts = Matrix::Constant(4, 3, -1);
  write_npy(folder / "counts.npy", counts);
  EXPECT_EQ(run("learn topics counts.npy --topics 1").code, 3);
}

TEST_F(Learn, MixtureWithGrossOutliers) {
  run_well(
      "generate --model mixture --rank 3 --dimension 10 --samples 5000 --outliers 0.02 -o D -q");
  const CommandRun robust =
      run("learn mixture D/samples.npy --components 3 --truth D/truth --json -o out");
  ASSERT_EQ(robust.code, 0) << robust.err;
  const Json summary = Json::parse(robust.out);
  EXPECT_LT(summary["mean_error"], 0.2);
  EXPECT_NEAR(summary["outliers"].get<double>(), 100, 30);
  EXPECT_EQ(names_in(folder / "out"),
            (std::vector<std::string>{"corrupted.npy", "means.npy", "outliers.npy", "report.html",
                                      "strength.npy", "summary.json", "weights.npy"}));
  const CommandRun plain = run(
      "learn mixture D/samples.npy --components 3 --truth D/truth --json --plain --refinements 0");
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_GT(Json::parse(plain.out)["mean_error"], 1);
  EXPECT_EQ(run("learn mixture D/samples.npy --components 11").code, 3);
}

/// The lines of a page that a reader is told to type.
std::vector<std::string> commands_of(const std::string& page) {
  std::ifstream file(std::string(SUNDER_SOURCE_DIR) + "/docs/" + page);
  std::vector<std::string> commands;
  const std::string prompt = "    $ sunder ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(prompt)) commands.push_back(line.substr(prompt.size()));
  }
  return commands;
}

TEST_F(Learn, CommandsOfThePagesWorkAsPrinted) {
  for (const char* page : {"learn_topics.md", "learn_mixture.md"}) {
    const std::vector<std::string> commands = commands_of(page);
    EXPECT_GE(commands.size(), 3U) << page;
    for (const std::string& command : commands) run_well(command);
  }
}

}  // namespace
}  // namespace sunder
