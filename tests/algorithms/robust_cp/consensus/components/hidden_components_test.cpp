#include "algorithms/robust_cp/consensus/components/hidden_components.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sunder::robust {
namespace {

/// A box of 10 x 10 x 10 entries, so many of which are in S; a component there has 28 unknowns.
Box box_with(Index sparse) {
  Box box;
  box.sets.assign(3, std::vector<Index>(10));
  for (auto& set : box.sets) std::iota(set.begin(), set.end(), Index{0});
  box.known = 1000;
  box.sparse = sparse;
  box.nats_in_slices = 1;
  return box;
}

bool may_hide(Index sparse, const Places& places) {
  return may_hide_components(box_with(sparse), places, 1e-7);
}

/// The search would have found a component that is worth its cost, and its silence counts.
TEST(HiddenComponents, ACostlyComponentWouldHaveBeenFound) {
  EXPECT_FALSE(may_hide(700, {.most = 1, .free = 1}));
  EXPECT_FALSE(may_hide(990, {.most = 1, .cost_of_place = 600}));
}

/// 84 entries of 1000 make slices proportional. Two components could hide on 168, but not on 500.
TEST(HiddenComponents, ACheapOneIsSeenByProportionalSlicesAndTwoAreNot) {
  EXPECT_FALSE(may_hide(990, {.most = 1, .free = 1}));
  EXPECT_TRUE(may_hide(990, {.most = 2, .free = 2}));
  EXPECT_FALSE(may_hide(990, {.most = 2, .free = 1, .cost_of_place = 500}));
}

TEST(HiddenComponents, NobodyWantsOneThatCostsMoreThanItFits) {
  EXPECT_FALSE(may_hide(950, {.most = 1, .cost_of_place = 1000}));
  EXPECT_FALSE(may_hide(400, {.most = 4, .free = 4}));
}

/// Pairs of two entries repeat a ratio where both belong to the component.
TEST(HiddenComponents, PairsShowAComponentThatFitsEnough) {
  EXPECT_TRUE(pairs_show_component({10, 10, 10}, 0.09, 1e-7));
  EXPECT_FALSE(pairs_show_component({10, 10, 10}, 0.04, 1e-7));
  EXPECT_TRUE(pairs_show_component({5, 5, 5}, 0.2, 1e-7));
  EXPECT_FALSE(pairs_show_component({200, 200, 200}, 0.2, 1e-7));
}

TEST(HiddenComponents, ABoxThatIsNoDenserThanItsSlicesHidesNothing) {
  Box box = box_with(900);
  box.nats_in_slices = 0;
  EXPECT_FALSE(may_hide_components(box, {.most = 2, .free = 2}, 1e-7));
}

}  // namespace
}  // namespace sunder::robust
