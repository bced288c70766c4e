#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// outliers_test.cpp asks when the solver of a core finds one.
TEST(CoreComplete, AFurtherComponentInTheCoreLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.core.whole = false;
  EXPECT_EQ(model.failed(), 5);
  EXPECT_EQ(model.passes, 0);
}

}  // namespace
}  // namespace sunder::robust
