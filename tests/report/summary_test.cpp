#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/sample_run.hpp"

namespace sunder {
namespace {

using nlohmann::json;

json summary(const RunDescription& run, const Decomposition& result) {
  return json::parse(render_summary(run, result));
}

TEST(Summary, HasEveryField) {
  const json parsed = summary(testing::sample_run(), testing::sample_result());
  std::vector<std::string> names;
  for (const auto& [name, value] : parsed.items()) names.push_back(name);
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre(
                  "sunder", "input", "dtype", "method", "options", "seed", "group", "shape", "rank",
                  "outcome", "certified", "certificate", "passes", "entries_sampled", "bytes_read",
                  "flops", "seconds", "entries", "missing_count", "sparse_count", "sparse_fraction",
                  "norm_low_rank", "norm_sparse", "weights", "trace"));
}

TEST(Summary, SaysWhatTheResultSays) {
  const Decomposition result = testing::sample_result();
  const json parsed = summary(testing::sample_run(), result);
  EXPECT_EQ(parsed["input"], "measurement.npy");
  EXPECT_EQ(parsed["seed"], 42);
  EXPECT_EQ(parsed["shape"], json({30, 20, 10}));
  EXPECT_EQ(parsed["rank"], 3);
  EXPECT_EQ(parsed["outcome"], "converged");
  EXPECT_EQ(parsed["certified"], "exact");
  EXPECT_EQ(parsed["certificate"], result.certificate.explanation);
  EXPECT_EQ(parsed["entries"], 6000);
  EXPECT_EQ(parsed["missing_count"], 12);
  EXPECT_EQ(parsed["sparse_count"], 163);
  EXPECT_DOUBLE_EQ(parsed["sparse_fraction"].get<double>(), 163.0 / (6000 - 12));
  EXPECT_DOUBLE_EQ(parsed["norm_low_rank"].get<double>(), result.low_rank.norm());
  EXPECT_DOUBLE_EQ(parsed["norm_sparse"].get<double>(), result.sparse.norm());
  EXPECT_EQ(parsed["weights"].size(), 3u);
}

TEST(Summary, TraceHasEveryFieldOfARecord) {
  const Decomposition result = testing::sample_result();
  const json trace = summary(testing::sample_run(), result)["trace"];
  ASSERT_EQ(trace.size(), result.trace.size());
  const json expected = {{"pass", 2},
                         {"stage", "rank 3"},
                         {"threshold", 0.7},
                         {"kept_residual", result.trace[0].kept_residual},
                         {"sparse_fraction", 0.03},
                         {"change", 0.5},
                         {"entries_sampled", 0},
                         {"flops", 0.0},
                         {"seconds", 0.1}};
  EXPECT_EQ(trace[0], expected);
}

TEST(Summary, OptionsAreNumbersWhereTheyParse) {
  RunDescription run = testing::sample_run();
  run.options = {{"a", "3"},   {"b", "1e-8"}, {"c", "auto"},
                 {"d", "inf"}, {"e", "3x"},   {"f", "18446744073709551615"},
                 {"g", ""},    {"h", "-2"},   {"i", "1e999"}};
  const json options = summary(run, testing::sample_result())["options"];
  EXPECT_TRUE(options["a"].is_number_integer());
  EXPECT_EQ(options["b"], 1e-8);
  EXPECT_EQ(options["c"], "auto");
  EXPECT_EQ(options["d"], "inf");
  EXPECT_EQ(options["e"], "3x");
  EXPECT_EQ(options["f"], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(options["g"], "");
  EXPECT_EQ(options["h"], -2);
  EXPECT_EQ(options["i"], "1e999");
}

TEST(Summary, EvaluationOnlyWhereTheTruthIsKnown) {
  RunDescription run = testing::sample_run();
  EXPECT_FALSE(summary(run, testing::sample_result()).contains("error_low_rank"));
  run.evaluation = testing::sample_evaluation();
  const json parsed = summary(run, testing::sample_result());
  EXPECT_EQ(parsed["error_low_rank"], 1.5e-9);
  EXPECT_EQ(parsed["support_precision"], 0.99);
  EXPECT_EQ(parsed["support_recall"], 0.98);
  EXPECT_EQ(parsed["components"], json({1.0, 0.999, 0.0}));
  EXPECT_EQ(parsed["component_partners"], json({0, 2, -1}));
}

TEST(Summary, NonFiniteNumbersBecomeNull) {
  Decomposition result = testing::sample_result();
  result.seconds = std::numeric_limits<double>::infinity();
  result.trace[0].change = std::numeric_limits<double>::quiet_NaN();
  const json parsed = summary(testing::sample_run(), result);
  EXPECT_TRUE(parsed["seconds"].is_null());
  EXPECT_TRUE(parsed["trace"][0]["change"].is_null());
}

TEST(Summary, SurvivesInvalidUtf8) {
  RunDescription run = testing::sample_run();
  run.input = "caf\xE9.npy";
  run.options.emplace("\xFF", "\xC3");
  EXPECT_EQ(summary(run, testing::sample_result())["input"], "caf\xEF\xBF\xBD.npy");
}

TEST(Summary, DescribesAnEmptyResult) {
  const json parsed = summary({}, {});
  EXPECT_EQ(parsed["rank"], 0);
  EXPECT_EQ(parsed["trace"], json::array());
  EXPECT_EQ(parsed["weights"], json::array());
  EXPECT_EQ(parsed["options"], json::object());
}

TEST(Summary, NothingObservedIsNoShare) {
  Decomposition result;
  result.low_rank = CpModel::zero({2, 2});
  result.missing_count = 4;
  EXPECT_EQ(summary({}, result)["sparse_fraction"], 0.0);
}

}  // namespace
}  // namespace sunder
