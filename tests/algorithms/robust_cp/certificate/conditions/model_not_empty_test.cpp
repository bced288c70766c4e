#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

TEST(ModelNotEmpty, NoEntrySpeaksAgainstAModelWithoutComponents) {
  JudgedModel model({15, 20, 25});
  for (Matrix& factor : model.factors) factor.setZero();
  model.core.factors = model.factors;
  EXPECT_EQ(model.failed(), 1);
  EXPECT_EQ(model.passes, 0);
}

}  // namespace
}  // namespace sunder::robust
