#include "report/inference_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/report.hpp"
#include "report/sample_run.hpp"

namespace sunder {
namespace {

using nlohmann::json;

Decomposition with_inference() {
  Decomposition result = testing::sample_result();
  result.false_discoveries = {.known = true,
                              .level = 0.05,
                              .expected = 0.03,
                              .null_scale = 1.1,
                              .null_degrees = 5,
                              .null_share = 0.9};
  RankRecord record;
  record.rank = 2;
  record.description = -100;
  record.consistency = 99;
  record.agreement = std::numeric_limits<double>::quiet_NaN();
  record.boxes = 1;
  result.ranks = {.records = {record}, .recommended = 1, .reason = "It is <short>.", .seconds = 2};
  return result;
}

TEST(InferenceSummary, ComesBackAsItWas) {
  const Decomposition result = with_inference();
  const SummaryContents read = read_summary(render_summary(testing::sample_run(), result));
  EXPECT_TRUE(read.result.false_discoveries.known);
  EXPECT_EQ(read.result.false_discoveries.null_degrees, 5);
  EXPECT_EQ(read.result.false_discoveries.expected, 0.03);
  ASSERT_EQ(read.result.ranks.records.size(), 1U);
  EXPECT_EQ(read.result.ranks.recommended, 1);
  EXPECT_EQ(read.result.ranks.records[0].rank, 2);
  EXPECT_EQ(read.result.ranks.records[0].consistency, 99);
  EXPECT_TRUE(std::isnan(read.result.ranks.records[0].agreement));
  EXPECT_EQ(read.result.ranks.reason, result.ranks.reason);
}

TEST(InferenceSummary, NormalNoiseHasNoDegreesOfFreedom) {
  Decomposition result = with_inference();
  result.false_discoveries.null_degrees = std::numeric_limits<double>::infinity();
  const std::string text = render_summary(testing::sample_run(), result);
  EXPECT_EQ(json::parse(text)["false_discoveries"]["null_family"], "normal");
  EXPECT_TRUE(std::isinf(read_summary(text).result.false_discoveries.null_degrees));
}

TEST(InferenceSummary, ThePageShowsTheStudyAndItsReason) {
  const Decomposition result = with_inference();
  const std::string page =
      render_report(testing::sample_run(), result, {std::nullopt, result.low_rank.shape(), "none"});
  EXPECT_NE(page.find("How many components"), std::string::npos);
  EXPECT_NE(page.find("It is &lt;short&gt;."), std::string::npos);
  const std::string without = render_report(testing::sample_run(), testing::sample_result(),
                                            {std::nullopt, result.low_rank.shape(), "none"});
  EXPECT_EQ(without.find("How many components"), std::string::npos);
}

}  // namespace
}  // namespace sunder
