#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/judged_model.hpp"

namespace sunder::robust {
namespace {

using test::JudgedModel;

/// Every entry is far within the level: the noise is a trillionth of L.
TEST(ResidualsAreRounding, NoiseFarBelowTheLevelIsNotRounding) {
  JudgedModel model({15, 20, 25});
  Rng rng(2);
  for (double& entry : model.tensor.typed<double>()) {
    entry += 1e-12 * model.core.spread * rng.normal();
  }
  EXPECT_EQ(model.failed(), 12);
  EXPECT_FALSE(model.judgement().rejects());
}

}  // namespace
}  // namespace sunder::robust
