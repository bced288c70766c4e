#include "algorithms/robust_cp/certificate/condition.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace sunder::robust {
namespace {

/// Which conditions hold, and which were asked.
struct Answers {
  Check first;
  Check second;
  std::vector<int> asked;
};

Check ask_first(Answers& answers) {
  answers.asked.push_back(1);
  return answers.first;
}
Check ask_second(Answers& answers) {
  answers.asked.push_back(2);
  return answers.second;
}

/// A table over evidence that no other table has.
constexpr std::array<Condition<Answers>, 2> two_conditions{{
    {1, "first", OnFailure::reject, ask_first, "slice", "something is wrong with {counted}"},
    {2, "second", OnFailure::withhold, ask_second, "row", "{count} of {of} rows are open",
     " Nobody looked."},
}};

Findings examine_two(Answers& answers) { return examine<Answers>(two_conditions, answers); }

TEST(Condition, AllAreAskedInTheOrderOfTheTable) {
  Answers answers;
  const Findings findings = examine_two(answers);
  EXPECT_FALSE(findings.failure.has_value());
  EXPECT_EQ(findings.remarks, "");
  EXPECT_EQ(answers.asked, (std::vector<int>{1, 2}));
}

TEST(Condition, NothingIsAskedAfterAFailure) {
  Answers answers;
  answers.first = Check::passes_if_none(3);
  const Findings findings = examine_two(answers);
  EXPECT_EQ(answers.asked, std::vector<int>{1});
  EXPECT_EQ(findings.failure->number, 1);
  EXPECT_EQ(findings.failure->name, "first");
  EXPECT_EQ(findings.failure->on_failure, OnFailure::reject);
  EXPECT_EQ(findings.failure->check, answers.first);
  EXPECT_EQ(findings.failure->sentence, "something is wrong with 3 slices (condition 1)");
}

TEST(Condition, TheSentenceHasItsFigures) {
  Answers answers;
  answers.first = Check::passes_if_none(1);
  EXPECT_EQ(examine_two(answers).failure->sentence,
            "something is wrong with 1 slice (condition 1)");
  answers.first = Check::passes_if_none(0);
  answers.second = Check::fails(2, 5);
  EXPECT_EQ(examine_two(answers).failure->sentence, "2 of 5 rows are open (condition 2)");
}

TEST(Condition, WhatCouldNotBeCheckedIsRemarkedUpon) {
  Answers answers;
  answers.second = Check::could_not_check();
  const Findings findings = examine_two(answers);
  EXPECT_FALSE(findings.failure.has_value());
  EXPECT_EQ(findings.remarks, " Nobody looked.");
}

}  // namespace
}  // namespace sunder::robust
