#include "algorithms/robust_cp/noise/completion/held_out.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

DenseCore ramp() {
  DenseCore core;
  core.shape = Shape{10, 20, 5};
  core.values = Entries::LinSpaced(1000, 1, 2);
  return core;
}

TEST(HeldOut, HidesATenthAndLeavesTheRest) {
  const DenseCore core = ramp();
  Rng rng(1);
  const HeldOut held = hold_out(core, rng);
  EXPECT_GT(held.hidden.size(), 60U);
  EXPECT_LT(held.hidden.size(), 140U);
  EXPECT_EQ(held.core.observed.sum(), 1000 - static_cast<double>(held.hidden.size()));
  for (const Index i : held.hidden) EXPECT_FALSE(held.core.is_observed(i));
}

TEST(HeldOut, NeverHidesWhatIsMissing) {
  DenseCore core = ramp();
  core.observed = Entries::Ones(1000);
  core.observed.head(500).setZero();
  Rng rng(1);
  for (const Index i : hold_out(core, rng).hidden) EXPECT_GE(i, 500);
}

TEST(HeldOut, AFewErrorsDoNotDecide) {
  DenseCore core = ramp();
  Rng rng(1);
  const std::vector<Index> hidden = hold_out(core, rng).hidden;
  const Entries near = core.values + 0.01;
  const Entries far = core.values + 0.02;
  core.values[hidden.front()] = 1000;
  EXPECT_TRUE(predicts_clearly_better(core, hidden, near, far));
  EXPECT_FALSE(predicts_clearly_better(core, hidden, far, near));
  EXPECT_FALSE(predicts_clearly_better(core, hidden, near, near));
}

}  // namespace
}  // namespace sunder::robust
