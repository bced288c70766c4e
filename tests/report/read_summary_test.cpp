#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/sample_run.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using nlohmann::json;

RunDescription evaluated_run() {
  RunDescription run = testing::sample_run();
  run.group = {0, 1};
  run.evaluation = testing::sample_evaluation();
  run.plan = ReadingPlan{true, 1000, 900, 12345, 2};
  return run;
}

/// All that a summary says can be read back: writing it again gives the same text.
TEST(ReadSummary, IsTheInverseOfWriting) {
  Decomposition result = testing::sample_result();
  result.outcome = Outcome::stalled;
  result.entries_sampled = 77;
  result.bytes_read = 12345;
  result.seconds = std::numeric_limits<double>::quiet_NaN();
  const std::string written = render_summary(evaluated_run(), result);
  SummaryContents contents = read_summary(written);
  EXPECT_EQ(contents.shape, result.low_rank.shape());
  EXPECT_TRUE(std::isnan(contents.result.seconds));
  contents.result.low_rank = result.low_rank;
  EXPECT_EQ(render_summary(contents.run, contents.result), written);
}

TEST(ReadSummary, ReadsNoiseAndFlaggedSlices) {
  const Decomposition result = testing::noisy_result();
  const std::string written = render_summary(evaluated_run(), result);
  SummaryContents contents = read_summary(written);
  EXPECT_EQ(contents.result.noise.family, "proportional, t");
  EXPECT_EQ(contents.result.flagged_slices.at(1).reason, "few inliers");
  contents.result.low_rank = result.low_rank;
  EXPECT_EQ(render_summary(contents.run, contents.result), written);
  json summary = json::parse(written);
  summary["noise"]["edges"] = {1, 2};
  EXPECT_THROW(read_summary(summary.dump()), InputError);
}

TEST(ReadSummary, NumbersOfManySlicesAreLeftOut) {
  Decomposition result = testing::noisy_result();
  result.slice_quality[1].excess.assign(10001, 0.0);
  const json summary = json::parse(render_summary(evaluated_run(), result));
  EXPECT_TRUE(summary["slices"][1]["excess"].empty());
  EXPECT_EQ(summary["slices"][0]["excess"].size(), 30u);
}

TEST(ReadSummary, OlderSummariesLackSomeFields) {
  json summary = json::parse(render_summary(evaluated_run(), testing::sample_result()));
  for (const char* key :
       {"group", "component_partners", "entries_sampled", "flops", "bytes_read", "plan"}) {
    ASSERT_EQ(summary.erase(key), 1u) << key;
  }
  const SummaryContents contents = read_summary(summary.dump());
  EXPECT_TRUE(contents.run.group.empty());
  EXPECT_EQ(contents.run.evaluation->support.recall, 0.98);
  EXPECT_TRUE(contents.run.evaluation->components.cosine.empty());
  EXPECT_EQ(contents.result.trace.size(), 30u);
}

TEST(ReadSummary, SaysWhatIsWrong) {
  for (const char* text : {"", "{", "[]", R"({"shape": [3, 3]})", R"({"shape": "large"})"}) {
    EXPECT_THROW(read_summary(text), InputError) << text;
  }
  json summary = json::parse(render_summary({}, testing::sample_result()));
  summary["outcome"] = "splendid";
  try {
    read_summary(summary.dump());
    FAIL() << "an unknown outcome was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("splendid"));
  }
}

TEST(ReadSummary, NumbersMustBeWhole) {
  const json written = json::parse(render_summary(evaluated_run(), testing::sample_result()));
  for (const json& wrong : {json(1e300), json(2.5), json("3"), json(1ULL << 63)}) {
    for (const char* const key : {"passes", "entries_sampled"}) {
      json summary = written;
      summary[key] = wrong;
      EXPECT_THROW(read_summary(summary.dump()), InputError) << key << wrong;
    }
    json summary = written;
    summary["shape"] = {3, wrong};
    EXPECT_THROW(read_summary(summary.dump()), InputError) << wrong;
  }
}

}  // namespace
}  // namespace sunder
