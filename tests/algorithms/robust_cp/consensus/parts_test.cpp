#include "algorithms/robust_cp/consensus/parts.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

TEST(Parts, APartHoldsRowsOfEveryComponent) {
  Rng rng(1);
  const Shape shape{300, 300, 300};
  const Factors small = test::on_box(test::normal_component(shape, rng), 290, 8);
  const Factors factors = joined(test::normal_component(shape, rng), small);
  const IndexSets sets = rows_of_every_component(shape, {}, factors, rng);
  for (const auto& set : sets) {
    EXPECT_LT(set.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(set));
    for (Index i = 290; i < 298; ++i) EXPECT_TRUE(std::ranges::binary_search(set, i)) << i;
  }
}

TEST(Parts, ASmallTensorIsItsOwnPart) {
  Rng rng(2);
  const Shape shape{10, 11, 12};
  EXPECT_EQ(rows_of_every_component(shape, {}, test::normal_component(shape, rng), rng),
            all_indices(shape));
}

TEST(Parts, RowsThatHoldMostOfSMustStandOutInTwoModes) {
  std::vector<SliceStatistics> slices;
  for (int m = 0; m < 3; ++m) {
    SliceStatistics& mode = slices.emplace_back(40, SliceDetail::counts);
    mode.observed.assign(40, 1600);
    mode.fitted.assign(40, 1500);
  }
  const Shape extents{3, 3, 3};
  EXPECT_FALSE(rows_with_most_of_sparse(extents, {}, slices));
  for (const int m : {0, 2}) {
    for (const Index i : {5, 17, 30}) slices[m].fitted[i] = 900;
  }
  const auto sets = rows_with_most_of_sparse(extents, {}, slices);
  ASSERT_TRUE(sets);
  EXPECT_EQ((*sets)[0], (std::vector<Index>{5, 17, 30}));
  EXPECT_EQ((*sets)[2], (std::vector<Index>{5, 17, 30}));
}

}  // namespace
}  // namespace sunder::robust
