#include "algorithms/robust_cp/consensus/components/merging.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

double change_by_merging(const Factors& factors) {
  return distance(with_parallel_merged(factors), factors) / norm(factors);
}

TEST(Merging, ComponentsThatDifferInOneModeAreOne) {
  for (const Shape& shape : {Shape{9, 8, 7}, Shape{6, 5, 4, 7}}) {
    Rng rng(1);
    Factors factors = test::normal_components(shape, 3, rng);
    for (std::size_t m = 1; m < factors.size(); ++m) factors[m].col(2) = -2 * factors[m].col(0);
    EXPECT_EQ(with_parallel_merged(factors).front().cols(), 2) << to_string(shape);
    EXPECT_LT(change_by_merging(factors), 1e-13) << to_string(shape);
  }
}

/// Beside one vector of the first mode stands a matrix of rank two.
TEST(Merging, ComponentsParallelInAModeAreAsManyAsTheRankOfTheMatrix) {
  Rng rng(2);
  Factors factors = test::normal_components({9, 8, 7}, 4, rng);
  factors[0].col(1) = 3 * factors[0].col(0);
  factors[0].col(3) = -factors[0].col(0);
  factors[1].col(3) = factors[1].col(0) - 2 * factors[1].col(1);
  factors[2].col(3) = factors[2].col(1);
  EXPECT_EQ(with_parallel_merged(factors).front().cols(), 3);
  EXPECT_LT(change_by_merging(factors), 1e-13);
}

/// Parallel in two modes of four, and beside them a matrix of rank two.
TEST(Merging, AMatrixBesideTwoModesIsReduced) {
  Rng rng(3);
  Factors factors = test::normal_components({6, 5, 7, 8}, 3, rng);
  for (const std::size_t m : {std::size_t{0}, std::size_t{2}}) {
    factors[m].col(1) = 2 * factors[m].col(0);
    factors[m].col(2) = -factors[m].col(0);
  }
  factors[1].col(2) = factors[1].col(0) + factors[1].col(1);
  EXPECT_EQ(with_parallel_merged(factors).front().cols(), 2);
  EXPECT_LT(change_by_merging(factors), 1e-13);
}

TEST(Merging, ComponentsThatAreNeededStay) {
  Rng rng(4);
  Factors factors = test::normal_components({9, 8, 7}, 3, rng);
  EXPECT_EQ(with_parallel_merged(factors).front().cols(), 3);
  EXPECT_LT(change_by_merging(factors), 1e-13);
  factors[0].col(2) = factors[0].col(1);  // a matrix of rank two
  EXPECT_EQ(with_parallel_merged(factors).front().cols(), 3);
  EXPECT_LT(change_by_merging(factors), 1e-13);
}

TEST(Merging, AMatrixHasAsManyComponentsAsItsRank) {
  Rng rng(5);
  Factors factors = test::normal_components({9, 8}, 3, rng);
  factors[0].col(2) = factors[0].col(0) - factors[0].col(1);
  EXPECT_EQ(with_parallel_merged(factors).front().cols(), 2);
  EXPECT_LT(change_by_merging(factors), 1e-13);
}

}  // namespace
}  // namespace sunder::robust
