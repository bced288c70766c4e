#include "sunder/study/study.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

TEST(Study, HasThePanelsOfThePaper) {
  const std::vector<StudySetting> settings = figure_settings(100, 5, false);
  EXPECT_EQ(settings.size(), 4U * 4U * 5U * 6U);
  std::set<std::string> panels;
  std::set<int> ranks;
  for (const StudySetting& setting : settings) {
    panels.insert(setting.panel);
    ranks.insert(setting.rank);
  }
  EXPECT_EQ(panels, (std::set<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(ranks, (std::set<int>{5, 25}));
}

TEST(Study, HandsOverEveryResultOnceWhateverTheNumberOfWorkers) {
  std::vector<StudySetting> settings;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    settings.push_back({"a", "robust-cp", 20, 2, Support::uniform, 0.1, seed});
    settings.push_back({"a", "no-such-method", 20, 2, Support::uniform, 0.1, seed});
  }
  std::vector<std::vector<double>> errors;
  for (const int workers : {1, 2}) {
    std::vector<StudyResult> results;
    run_study(settings,
              {.workers = workers,
               .time_limit = 60,
               .progress = {},
               .on_result = [&](const StudyResult& result) { results.push_back(result); }});
    ASSERT_EQ(results.size(), settings.size());
    std::vector<double> sorted;
    for (const StudyResult& result : results) {
      EXPECT_FALSE(result.status.empty());
      if (result.setting.method == "robust-cp") {
        EXPECT_LT(result.error, 1e-10);
      } else {
        EXPECT_EQ(result.error, 1);
      }
      sorted.push_back(result.error);
    }
    std::sort(sorted.begin(), sorted.end());
    errors.push_back(sorted);
  }
  EXPECT_EQ(errors[0], errors[1]);
}

TEST(Study, StopsOnRequestAndWithinItsBudget) {
  const std::vector<StudySetting> settings(4, {"a", "rtd-als", 60, 5, Support::uniform, 0.3, 1});
  EXPECT_THROW(run_study(settings, {.workers = 1,
                                    .time_limit = 60,
                                    .progress = [](const Progress&) { return Continue::cancel; },
                                    .on_result = {}}),
               Cancelled);
  std::vector<StudyResult> results;
  run_study({settings[0]}, {.workers = 1,
                            .time_limit = 1e-3,
                            .progress = {},
                            .on_result = [&](const StudyResult& r) { results.push_back(r); }});
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].status, "over budget");
}

}  // namespace
}  // namespace sunder
