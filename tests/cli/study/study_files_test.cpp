#include "cli/study/study_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sunder::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

StudyResult result_of(const char* method, double error, double seconds, std::uint64_t seed) {
  StudyResult result;
  result.setting = {"a", method, 100, 5, Support::uniform, 0.1, seed};
  result.status = "converged";
  result.error = error;
  result.seconds = seconds;
  return result;
}

TEST(StudyFiles, SummarisesTheRunsOfACell) {
  const std::vector<CellSummary> cells =
      summarise({result_of("robust-cp", 1e-12, 3, 1), result_of("robust-cp", 1e-2, 1, 2),
                 result_of("robust-cp", 1e-11, 2, 3), result_of("rtd-als", 1e-7, 1, 1)});
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].runs, 3);
  EXPECT_EQ(cells[0].recovered, 2);
  EXPECT_EQ(cells[0].missed, std::vector<std::uint64_t>{2});
  EXPECT_EQ(cells[0].median_error, 1e-11);
  EXPECT_EQ(cells[0].least_error, 1e-12);
  EXPECT_EQ(cells[0].largest_error, 1e-2);
  EXPECT_EQ(cells[0].median_seconds, 2);
}

TEST(StudyFiles, SaysWhereTheClaimsHoldAndWhichSeedsWereMissed) {
  std::vector<StudyResult> results{
      result_of("rtd-als", 1e-3, 1, 1), result_of("altproj-flat", 2.5e-3, 1, 1),
      result_of("altproj-slice", 1e-3, 2, 1), result_of("robust-cp", 1e-2, 1, 7)};
  const std::vector<std::string> sentences = claims(summarise(results), {});
  ASSERT_EQ(sentences.size(), 4U);
  EXPECT_THAT(sentences[0], HasSubstr("2.5, over 1 cells. These numbers agree"));
  EXPECT_THAT(sentences[1], HasSubstr("do not agree"));
  EXPECT_THAT(sentences[3], HasSubstr("seeds 7"));
  results.pop_back();
  results.push_back(result_of("robust-cp", 1e-12, 1, 7));
  EXPECT_THAT(claims(summarise(results), {})[3], HasSubstr("in every run"));
}

TEST(StudyFiles, SaysWhenNothingWasMeasured) {
  for (const std::string& sentence : claims({}, {})) {
    EXPECT_THAT(sentence, HasSubstr("Not measured"));
  }
}

}  // namespace
}  // namespace sunder::cli
