#include "algorithms/robust_cp/noise/casewise/slice_reason.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/levels/casewise.hpp"

namespace sunder::robust {
namespace {

Matrix normal(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

TEST(SliceReason, RandomNumbersHaveNoStructure) {
  Rng rng(1);
  for (const Index columns : {30, 60, 200}) {
    EXPECT_LT(structure_of_slice(normal(60, columns, rng), 4), 0.1) << columns;
  }
}

TEST(SliceReason, AnotherModelHasStructureInSpiteOfBadCells) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    Matrix left = normal(60, 4, rng) * normal(4, 40, rng) / 2;
    for (double& x : left.reshaped()) {
      if (rng.bernoulli(0.1)) x += rng.uniform(1, 4);
    }
    EXPECT_GT(structure_of_slice(left, 4), levels::casewise::has_structure) << seed;
  }
}

TEST(SliceReason, TooSmallASliceTellsNothing) {
  Rng rng(1);
  const Matrix left = normal(5, 1, rng) * normal(1, 4, rng);
  EXPECT_EQ(structure_of_slice(left, 4), 0);
}

}  // namespace
}  // namespace sunder::robust
