#include "algorithms/robust_cp/noise_finish.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planted_problem.hpp"

namespace sunder::robust {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct NoiseExample {
  PlantedTensor planted = generate_planted(test::small_problem(1));
  RunContext context{std::make_shared<MemorySource>(planted.tensor.view()), test::of_rank(3), {}};
};

TEST(NoiseFinish, TheLibraryNamesOptionsAndNotFlags) {
  NoiseExample example;
  const auto complete = AllOf(EndsWith("."), Not(HasSubstr("--")));
  EXPECT_THAT(explain_stall(example.context, true), AllOf(complete, HasSubstr("`rank`")));
  EXPECT_THAT(explain_stall(example.context, false), AllOf(complete, HasSubstr("`core`")));
  EXPECT_THAT(explain_stall(example.context, false), Not(HasSubstr("`memory`")));
  example.context.budget = CoreBudget(1 << 20);
  EXPECT_THAT(explain_stall(example.context, false), AllOf(complete, HasSubstr("`memory`")));
}

TEST(NoiseFinish, SaysWhyTheLastModelWasRejected) {
  NoiseExample example;
  EXPECT_THAT(explain_stall(example.context, true), HasSubstr("disagree"));
  example.context.state.rejection = "Too few entries are fitted (condition 5)";
  EXPECT_THAT(explain_stall(example.context, true),
              HasSubstr("data. Too few entries are fitted (condition 5). The"));
}

TEST(NoiseFinish, TheThresholdIsThatOfNoiseButNotBelowRounding) {
  NoiseExample example;
  Candidate candidate;
  candidate.core.spread = 2;
  EXPECT_EQ(noise_threshold(example.context, candidate, 0.5), 2.0);
  EXPECT_EQ(noise_threshold(example.context, candidate, 0), 2e-6);
}

}  // namespace
}  // namespace sunder::robust
