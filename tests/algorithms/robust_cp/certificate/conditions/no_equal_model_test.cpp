#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// consensus_test.cpp, row_moves_test.cpp and open_rows_test.cpp ask when the search counts one.
TEST(NoEqualModel, AModelThatFitsAsMuchLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.search.ties = 2;
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 10);
  EXPECT_EQ(judgement.failure->check.count, 2);
  EXPECT_FALSE(judgement.rejects());
  EXPECT_EQ(judgement.certificate.level, Certified::none);
  EXPECT_THAT(judgement.failure->sentence, ::testing::HasSubstr("2 other models or rows fit"));
}

}  // namespace
}  // namespace sunder::robust
