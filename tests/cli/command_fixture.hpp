#pragma once
/// The fixture of tests that run the built command in a folder of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"

namespace sunder::testing {

// Names that nearly every test of a command uses.
namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

inline Arguments joined(Arguments words, const Arguments& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Parses the output of a command that must end with `code` and print no message.
inline Json json_of(const CommandRun& run, int code = 0) {
  EXPECT_EQ(run.code, code) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(Json::accept(run.out)) << run.out;
  return Json::accept(run.out) ? Json::parse(run.out) : Json::object();
}

class CommandTest : public ::testing::Test {
 protected:
  CommandRun run(const Arguments& arguments, const Arguments& environment = {}) const {
    return run_command(arguments, folder.path(), environment);
  }
  /// Generates a tensor in the folder D.
  void generate(const Arguments& options) const {
    const CommandRun made = run(joined({"generate", "-q", "-o", "D"}, options));
    ASSERT_EQ(made.code, 0) << made.err;
  }

  const TemporaryFolder folder;
};

}  // namespace sunder::testing
