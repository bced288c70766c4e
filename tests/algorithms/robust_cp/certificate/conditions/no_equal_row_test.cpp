#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// row_moves_test.cpp and open_rows_test.cpp ask when the search counts a row.
TEST(NoEqualRow, ARowWithARivalThatFitsAsMuchLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.search.ties = 2;
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 8);
  EXPECT_EQ(judgement.failure->check.count, 2);
  EXPECT_TRUE(judgement.rejects());
  EXPECT_THAT(judgement.failure->sentence,
              ::testing::HasSubstr("as many entries in place of 2 rows of"));
}

}  // namespace
}  // namespace sunder::robust
