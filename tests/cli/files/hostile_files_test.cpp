#include "cli/files/hostile_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Every file below, with its bytes.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    contents[entry.path().lexically_relative(folder).string()] =
        entry.is_regular_file() ? testing::read_bytes(entry.path()) : "";
  }
  return contents;
}

// A smaller build makes fewer of the files and names fewer formats: it has another table.
constexpr bool complete_build =
    SUNDER_WITH_MATIO != 0 && SUNDER_WITH_LEARN != 0 && SUNDER_WITH_VIDEO != 0;

std::string text_of(const char* page) {
  return testing::read_bytes(fs::path(SUNDER_SOURCE_DIR) / page);
}

/// A row of the table in hostile_files.md. The words of other libraries change with their versions
/// and are left out.
std::string row(const HostileFile& file, const CommandRun& run) {
  std::string said = run.err.substr(std::min(run.err.size(), std::string("sunder: ").size()));
  if (said.ends_with('\n')) said.pop_back();
  said = std::regex_replace(said, std::regex(R"(\(\[json.*\))"), "(...)");
  said = std::regex_replace(said, std::regex("HDF5 says: .*;"), "HDF5 says: ...;");
  std::string line;
  for (const char c : fmt::format("`{}`\n{}\n{}", file.name, file.wrong, said)) {
    line += c == '\n' ? " | " : c == '|' ? "\\|" : std::string(1, c);
  }
  return "| " + line + " |\n";
}

TEST(HostileFiles, AreRefusedInOneSentenceAndLeaveNothingBehind) {
  const TemporaryFolder sound;
  ASSERT_TRUE(testing::write_sound_files(sound.path()));
  std::string table;
  for (const HostileFile& file : testing::hostile_files()) {
    SCOPED_TRACE(file.name + ", " + file.wrong);
    const TemporaryFolder folder;
    fs::copy(sound.path(), folder.path(), fs::copy_options::recursive);
    file.make(folder.path());
    const auto before = contents_of(folder.path());
    const CommandRun run = testing::run_command(file.command, folder.path());
    EXPECT_EQ(run.code, bad_input) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("sunder: "));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(contents_of(folder.path()) == before) << "something was left behind";
    table += row(file, run);
  }
  if (complete_build) {
    EXPECT_TRUE(text_of("tests/cli/files/hostile_files.md").ends_with("|---|---|---|\n" + table))
        << "the table of tests/cli/files/hostile_files.md should be\n"
        << table;
  }
}

TEST(HostileFiles, TheDocumentationQuotesTheTable) {
  const std::string table = text_of("tests/cli/files/hostile_files.md");
  const std::string page = text_of("docs/reliability.md");
  std::istringstream section(page.substr(page.find("## Hostile inputs")));
  int quoted = 0;
  for (std::string line; std::getline(section, line) && !line.starts_with("## Coverage");) {
    if (!line.starts_with("| `")) continue;
    EXPECT_THAT(table, HasSubstr(line + "\n"));
    ++quoted;
  }
  EXPECT_GT(quoted, 0);
}

}  // namespace
}  // namespace sunder
