#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// gauss_newton_test.cpp asks when the curvature of a core says so.
TEST(FactorsDetermined, OtherFactorsOfTheSameModelLeaveNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = Determinacy::open_factors;
  EXPECT_EQ(model.failed(), 2);
  EXPECT_EQ(model.passes, 0);
}

}  // namespace
}  // namespace sunder::robust
