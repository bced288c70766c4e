// Tensors whose best model the robust fit of a core misses: the search finds it, and it is
// certified.
#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {
namespace {

using test::Recipe;

void expect_found(const Recipe& recipe, int rank, const char* name, std::uint64_t seed) {
  const Decomposition result = robust_cp(recipe.tensor.view(), test::of_rank(rank, seed), {});
  EXPECT_EQ(result.certificate.level, Certified::exact)
      << name << ", seed " << seed << ": " << result.certificate.explanation;
  EXPECT_LT(recipe.error(result.low_rank), 1e-10) << name << ", seed " << seed;
}

/// The search may be too short for it, and then says so.
void expect_no_false_verdict(const Recipe& recipe, int rank, std::uint64_t seed) {
  const Decomposition result = robust_cp(recipe.tensor.view(), test::of_rank(rank, seed), {});
  EXPECT_TRUE(recipe.error(result.low_rank) < 1e-10 || result.certificate.level == Certified::none)
      << seed;
}

constexpr std::uint64_t recipe_seeds[] = {1, 2, 3};

TEST(RobustCpRecipes, TwoComponentsOnABoxAreFoundWhereTheRankIsChosen) {
  for (const std::uint64_t seed : recipe_seeds)
    expect_found(test::recipe_a(seed), 0, "A, chosen", seed);
}

TEST(RobustCpRecipes, TwoComponentsOnABoxAreFoundWhereTheRankIsKnown) {
  for (const std::uint64_t seed : recipe_seeds)
    expect_found(test::recipe_a(seed), 3, "A, rank 3", seed);
}

TEST(RobustCpRecipes, TwoComponentsInACornerOfALargeTensorAreFound) {
  for (const std::uint64_t seed : recipe_seeds) expect_found(test::recipe_b(seed), 3, "B", seed);
}

TEST(RobustCpRecipes, AComponentOnABoxAmongErrorsIsFoundOrLeavesNoVerdict) {
  for (const std::uint64_t seed : recipe_seeds) {
    expect_no_false_verdict(test::recipe_c(seed), 0, seed);
  }
}

TEST(RobustCpRecipes, ARowAlteredWhereItIsLargestIsFoundOrLeavesNoVerdict) {
  for (const std::uint64_t seed : recipe_seeds) {
    expect_no_false_verdict(test::recipe_d({16, 16, 16}, seed), 2, seed);
  }
}

/// A row of the matrix has twenty entries that the second component reaches. If half of them are
/// altered, nobody knows which half is right.
TEST(RobustCpRecipes, ARowOfAMatrixAlteredWhereItIsLargestIsFound) {
  for (const std::uint64_t seed : recipe_seeds) {
    expect_found(test::recipe_d({40, 40}, seed, 0.35), 2, "D, 40 x 40", seed);
    const Recipe even = test::recipe_d({40, 40}, seed, 0.5);
    const Decomposition result = robust_cp(even.tensor.view(), test::of_rank(2, seed), {});
    EXPECT_EQ(result.certificate.level, Certified::none) << seed;
  }
}

TEST(RobustCpRecipes, ASliceThatIsTripledWhereItIsLargestIsFound) {
  for (const std::uint64_t seed : recipe_seeds) expect_found(test::recipe_f(seed), 1, "F", seed);
}

TEST(RobustCpRecipes, AWeakComponentIsFoundBesideAStrongOneThatFitsLess) {
  for (const std::uint64_t seed : recipe_seeds) {
    for (const double share : {0.5, 0.6}) {
      expect_found(test::recipe_g(seed, share).recipe, 2, "G", seed);
    }
  }
}

}  // namespace
}  // namespace sunder
