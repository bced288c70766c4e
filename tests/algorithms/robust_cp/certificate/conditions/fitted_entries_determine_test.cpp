#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// determinacy_test.cpp asks when the solver of a core says so.
TEST(FittedEntriesDetermine, AFamilyOfModelsLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = Determinacy::open_on_fitted;
  EXPECT_EQ(model.failed(), 2);
  EXPECT_EQ(model.passes, 0);
}

}  // namespace
}  // namespace sunder::robust
