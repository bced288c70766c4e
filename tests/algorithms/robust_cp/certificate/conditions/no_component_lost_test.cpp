#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(NoComponentLost, AComponentOfTheCoreMustBeInTheModel) {
  JudgedModel model({15, 20, 25});
  model.factors[0].col(1).setZero();
  EXPECT_EQ(model.failed(), 4);
  EXPECT_EQ(model.passes, 0);
}

TEST(NoComponentLost, AComponentThatIsRoundingIsNone) {
  JudgedModel model({15, 20, 25});
  EXPECT_EQ(components_of(model.factors), 2);
  model.factors[0].col(1) *= 1e-12;
  EXPECT_EQ(components_of(model.factors), 1);
}

}  // namespace
}  // namespace sunder::robust
