#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(NothingMissing, AMissingEntryNeedNotBeZero) {
  PassStatistics data;
  EXPECT_EQ(conditions::nothing_missing(data), Check::passes_if(true));
  data.missing = 1;
  const Judgement judgement = judge_zero(data);
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 2);
  EXPECT_THAT(judgement.certificate.explanation, ::testing::HasSubstr("1 missing value"));
}

}  // namespace
}  // namespace sunder::robust
