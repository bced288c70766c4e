#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"

namespace sunder {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_command;
using Json = nlohmann::json;

TEST(Version, TellsHowTheCommandWasBuilt) {
  const CommandRun run = run_command({"--version", "--json"}, ".");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json facts = Json::parse(run.out);
  EXPECT_EQ(facts["sunder"], SUNDER_VERSION);
  for (const char* name :
       {"compiler", "build", "simd", "openmp", "mpi", "hdf5", "ffmpeg", "eigen"}) {
    EXPECT_NE(facts.value(name, ""), "") << name;
  }
  const CommandRun people = run_command({"--version"}, ".");
  EXPECT_EQ(people.code, 0);
  EXPECT_EQ(people.out.substr(0, people.out.find('\n')), "sunder " SUNDER_VERSION);
  for (const auto& [name, value] : facts.items()) {
    EXPECT_THAT(people.out, HasSubstr(value.get<std::string>())) << name;
  }
}

TEST(Version, JsonAloneIsNoCommand) {
  EXPECT_EQ(run_command({"--json"}, ".").code, 2);
  EXPECT_EQ(run_command({"--json", "info", "T.npy"}, ".").code, 2);
}

}  // namespace
}  // namespace sunder
