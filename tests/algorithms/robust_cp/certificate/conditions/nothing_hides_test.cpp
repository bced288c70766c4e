#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// The search could not explain a dense part of S, whoever chose the rank.
TEST(NothingHides, ADensePartOfSLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.search.may_lack = true;
  EXPECT_EQ(model.failed(), 11);
  EXPECT_FALSE(model.judgement().rejects());
  model.asked = {.rank = 2, .chosen = true};
  EXPECT_EQ(model.failed(), 11);
}

/// The rank that was asked for leaves the place in which it hides.
TEST(NothingHides, TheRankOfLIsNamedWhereItIsBelowTheOneThatWasAskedFor) {
  JudgedModel model({15, 20, 25});
  model.search.may_lack = true;
  EXPECT_THAT(model.judgement().failure->sentence, ::testing::Not(::testing::HasSubstr("rank")));
  model.asked.rank = 4;
  EXPECT_THAT(model.judgement().failure->sentence, ::testing::HasSubstr("ask for a `rank` of 2"));
}

}  // namespace
}  // namespace sunder::robust
