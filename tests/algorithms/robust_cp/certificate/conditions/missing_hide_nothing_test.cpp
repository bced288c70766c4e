#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(MissingHideNothing, AComponentMayBeWhereEntriesAreMissing) {
  JudgedModel model({15, 20, 25});
  model.tensor.typed<double>()[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(model.failed(), 0);
  model.asked = {.rank = 3};
  const Judgement judgement = model.judgement();
  ASSERT_TRUE(judgement.failure.has_value());
  EXPECT_EQ(judgement.failure->number, 14);
  EXPECT_THAT(judgement.certificate.explanation,
              ::testing::HasSubstr("only 2 of the 3 components"));
}

}  // namespace
}  // namespace sunder::robust
