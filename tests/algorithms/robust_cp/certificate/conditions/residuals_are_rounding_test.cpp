#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// Every entry is within the tolerance, and most are close to it.
TEST(ResidualsAreRounding, NoiseBelowTheLevelIsNotRounding) {
  JudgedModel model({15, 20, 25});
  Rng rng(2);
  for (double& entry : model.tensor.typed<double>()) {
    entry += rng.bernoulli(0.5) ? 0.9 * model.level : -0.9 * model.level;
  }
  EXPECT_EQ(model.failed(), 6);
}

}  // namespace
}  // namespace sunder::robust
