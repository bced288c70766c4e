#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(EveryEntryZero, OneEntrySuffices) {
  PassStatistics data;
  EXPECT_EQ(conditions::every_entry_zero(data), Check::passes_if(true));
  data.data_max = 1e-200;
  EXPECT_EQ(conditions::every_entry_zero(data), Check::passes_if(false));
  const Judgement judgement = judge_zero(data);
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 1);
}

}  // namespace
}  // namespace sunder::robust
