#include "algorithms/cp/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

TEST(NonnegativeLeastSquares, MeetsTheConditionsOfTheMinimum) {
  Rng rng(1);
  const auto normal = [&] { return rng.normal(); };
  int held = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Index rank = 1 + trial % 12;
    const Matrix A = Matrix::NullaryExpr(rank + 3, rank, normal);
    const Vector y = Vector::NullaryExpr(rank + 3, normal);
    const Matrix N = A.transpose() * A;
    const Vector b = A.transpose() * y;
    const Vector x = nonnegative_solution(N, b);
    const Vector slope = N * x - b;
    const double scale = 1e-10 * (1 + b.norm());
    EXPECT_GE(x.minCoeff(), 0);
    EXPECT_GE(slope.minCoeff(), -scale);  // no entry at zero would rather grow
    EXPECT_LE(x.cwiseProduct(slope).cwiseAbs().maxCoeff(), scale * (1 + x.norm()));
    held += (x.array() == 0).any() ? 1 : 0;
  }
  EXPECT_GT(held, 200);  // or the constraint was hardly tested
}

TEST(NonnegativeLeastSquares, IsLeastSquaresWhereThatIsNotNegative) {
  const Matrix N = (Matrix(2, 2) << 2, 1, 1, 3).finished();
  const Vector x = (Vector(2) << 0.5, 4).finished();
  EXPECT_LT((nonnegative_solution(N, N * x) - x).norm(), 1e-14);
  EXPECT_EQ(nonnegative_solution(N, -x), Vector::Zero(2));
}

TEST(NonnegativeLeastSquares, NoUnknownsHaveAnEmptySolution) {
  EXPECT_EQ(nonnegative_solution(Matrix(0, 0), Vector(0)).size(), 0);
}

}  // namespace
}  // namespace sunder
