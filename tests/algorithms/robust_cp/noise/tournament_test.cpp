#include "algorithms/robust_cp/noise/tournament.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

/// All entries may be cut off at the ends of their range, and count as missing.
TEST(Tournament, WithoutAnyKnownEntryThereIsNoContender) {
  DenseCore core;
  core.shape = Shape{5, 6, 7};
  core.values = Entries::Zero(core.shape.entries());
  core.observed = Entries::Zero(core.shape.entries());
  Rng rng(1);
  Monitor monitor;
  EXPECT_TRUE(hold_tournament(core, 2, rng, monitor).contenders.empty());
}

}  // namespace
}  // namespace sunder::robust
