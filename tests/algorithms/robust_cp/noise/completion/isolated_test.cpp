#include "algorithms/robust_cp/noise/completion/isolated.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

struct Example {
  Example() {
    core.shape = Shape{6, 10, 12};
    Rng rng(1);
    core.values = Entries::NullaryExpr(core.shape.entries(), [&] { return rng.normal(); });
    core.values.head(120) *= 100;  // the first slice is larger than the others
  }
  DenseCore core;
};

TEST(Isolated, SizesFollowTheSlices) {
  const Example example;
  const Entries sizes = usual_sizes(example.core, example.core.values);
  EXPECT_NEAR(sizes.head(120).mean() / sizes.tail(600).mean(), 100, 30);
  EXPECT_NEAR(sizes.tail(600).mean(), 1, 0.3);
}

TEST(Isolated, SingleEntriesAreErrorsAndWholeFibresAreNot) {
  Example example;
  example.core.values[300] = 40;
  example.core.values.segment(480, 12) = 40;  // a fibre of the last mode
  const Entries sizes = usual_sizes(example.core, example.core.values);
  const Entries weights = isolated_weights(example.core, example.core.values, sizes);
  EXPECT_EQ(weights[300], 0);
  EXPECT_EQ(weights.segment(480, 12).sum(), 12);
  EXPECT_EQ(weights.sum(), 719);
}

}  // namespace
}  // namespace sunder::robust
