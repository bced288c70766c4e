#include "algorithms/robust_cp/consensus/rows/hyperplane.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

double hyperplane_share_of(const Matrix& design) {
  Rng rng(1);
  return share_in_hyperplane(design, rng);
}

TEST(Hyperplane, FewColumnsOfAGenericDesignLieInAHyperplane) {
  Rng rng(2);
  for (const Index rank : {1, 2, 5}) {
    const Matrix design = Matrix::NullaryExpr(1000, rank, [&] { return rng.normal(); });
    EXPECT_LT(hyperplane_share_of(design), 0.02) << rank;
  }
}

TEST(Hyperplane, HalfTheColumnsOfSignsLieInAHyperplane) {
  Rng rng(2);
  for (const Index rank : {2, 3}) {
    const Matrix design =
        Matrix::NullaryExpr(1000, rank, [&] { return rng.bernoulli(0.5) ? 1.0 : -1.0; });
    EXPECT_NEAR(hyperplane_share_of(design), 0.55, 0.06) << rank;
    EXPECT_GE(hyperplane_share_of(design), 0.5) << rank;
  }
}

TEST(Hyperplane, ColumnsOnWhichAComponentIsZeroLieInAHyperplane) {
  Rng rng(2);
  Matrix design = Matrix::NullaryExpr(1000, 3, [&] { return rng.normal(); });
  design.col(1).head(500).setZero();
  EXPECT_GE(hyperplane_share_of(design), 0.5);
  EXPECT_LT(hyperplane_share_of(design), 0.56);
  EXPECT_EQ(hyperplane_share_of(Matrix(0, 2)), 1);
  EXPECT_EQ(hyperplane_share_of(Matrix::Zero(10, 2)), 1);
}

}  // namespace
}  // namespace sunder::robust
