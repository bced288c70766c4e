#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// determinacy_test.cpp and signs_test.cpp ask when the solver of a core says so.
TEST(SignsDetermined, ASecondModelOfOtherSignsLeavesNoCertificate) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = Determinacy::open_signs;
  EXPECT_EQ(model.failed(), 3);
  EXPECT_EQ(model.passes, 0);
}

/// A checkpoint is a file, and files can be damaged.
TEST(SignsDetermined, WhatIsNoAnswerAtAllIsNotDetermined) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = static_cast<Determinacy>(200);
  EXPECT_EQ(model.failed(), 3);
}

TEST(SignsDetermined, AQuestionThatNobodyAskedIsNotDetermined) {
  JudgedModel model({15, 20, 25});
  model.core.determinacy = CoreSolution().determinacy;
  EXPECT_EQ(model.core.determinacy, Determinacy::not_asked);
  EXPECT_EQ(model.failed(), 3);
}

}  // namespace
}  // namespace sunder::robust
