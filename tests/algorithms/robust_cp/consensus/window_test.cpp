#include "algorithms/robust_cp/consensus/window.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

TEST(Window, CountsWhatAModelFits) {
  Rng rng(1);
  test::Recipe recipe(test::normal_components({5, 6, 7}, 2, rng));
  const auto entries = recipe.tensor.typed<double>();
  entries[42 * 3 + 7 * 2 + 1] += 5;
  entries[42 * 3 + 7 * 4 + 1] += 5;
  entries[0] = std::numeric_limits<double>::quiet_NaN();
  const Window window = recipe.window();
  Monitor monitor;
  EXPECT_EQ(window.known(), 209);
  EXPECT_EQ(window.fitted(recipe.truth, monitor), 207);
  const std::vector<SliceStatistics> slices = window.fitted_in_slices(recipe.truth, monitor);
  EXPECT_EQ(slices[0].fitted, (std::vector<Index>{41, 42, 42, 40, 42}));
  EXPECT_EQ(slices[0].observed, (std::vector<Index>{41, 42, 42, 42, 42}));
  EXPECT_EQ(slices[2].fitted, (std::vector<Index>{29, 28, 30, 30, 30, 30, 30}));
  const SparseMarks marks = window.sparse_of(recipe.truth);
  EXPECT_EQ(std::ranges::count(marks.sparse, 1), 2);
  EXPECT_EQ(marks.sparse[42 * 3 + 7 * 2 + 1], 1);
  EXPECT_FALSE(marks.is_known(0));
  EXPECT_EQ(std::ranges::count(marks.known, 1), 209);
}

TEST(Window, ComponentsComeAndGo) {
  Rng rng(2);
  const Factors a = test::normal_components({5, 6, 7}, 2, rng);
  const Factors b = test::normal_component({5, 6, 7}, rng);
  const Factors both = joined(a, b);
  EXPECT_LT(distance(without_component(both, 2), a), 1e-14);
  EXPECT_EQ(without_component(both, 0)[1].col(1), b[1].col(0));
  Factors faint = both;
  faint[2].col(1) *= 1e-12;
  const Factors live = live_components(faint, 1e-9);
  EXPECT_EQ(live.front().cols(), 2);
  EXPECT_LT(distance(live, without_component(both, 1)), 1e-9);
}

TEST(Window, UnknownsAreEntriesThatAreNotZeroLessScales) {
  Rng rng(3);
  Factors factors = test::normal_components({5, 6, 7}, 2, rng);
  EXPECT_EQ(unknowns_of_components(factors), 2 * (18 - 2));
  EXPECT_EQ(unknowns_of_components(test::on_box(factors, 1, 3)), 2 * (9 - 2));
}

TEST(Window, ModesFollowTheirLeaderWithTheirSigns) {
  Rng rng(4);
  Factors factors = test::normal_components({6, 6, 7}, 2, rng);
  factors[1] = factors[0];
  factors[1].col(1) *= -1;
  Factors changed = factors;
  changed[0].row(2) << 1, 2;
  follow_leaders(ModeConstraints({{{0, 1}}, {}}, Shape{6, 6, 7}), factors, changed);
  EXPECT_EQ(changed[1].col(0), changed[0].col(0));
  EXPECT_EQ(changed[1].col(1), -changed[0].col(1));
  EXPECT_EQ(changed[2], factors[2]);
}

}  // namespace
}  // namespace sunder::robust
