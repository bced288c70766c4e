#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

using testing::CommandRun;
using Json = nlohmann::json;

Json figures(const testing::Arguments& arguments) {
  const testing::TemporaryFolder folder;
  const CommandRun run =
      testing::run_command(arguments, folder.path(), {}, "/dev/null", std::chrono::minutes(15));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(testing::names_in(folder.path()).empty());
  return Json::parse(run.out, nullptr, false);
}

// Times are not judged here, only that there are some.
TEST(Bench, MeasuresPassesBesideTheLimitsOfTheMachine) {
  const Json found = figures({"bench", "--quick", "--json"});
  ASSERT_FALSE(found.is_discarded());
  ASSERT_FALSE(found["limits"].empty());
  EXPECT_GT(found["limits"][0]["read_gb_per_s"].get<double>(), 0);
  ASSERT_FALSE(found["passes"].empty());
  for (const Json& pass : found["passes"]) EXPECT_GT(pass["fused_seconds"].get<double>(), 0);
}

#if SUNDER_WITH_VIDEO
TEST(Bench, MeasuresTheBackgroundModel) {
  const Json found = figures({"bench", "--quick", "--video", "--json"});
  ASSERT_FALSE(found.is_discarded());
  EXPECT_FALSE(found.empty());
}
#endif

}  // namespace
}  // namespace sunder
