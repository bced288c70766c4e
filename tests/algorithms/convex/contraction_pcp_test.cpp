#include "algorithms/convex/contraction_pcp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

Matrix random_low_rank(Index rows, Index columns, Index rank, Rng& rng) {
  const auto normal = [&] { return rng.normal(); };
  const Matrix p = Matrix::NullaryExpr(rows, rank, normal);
  const Matrix q = Matrix::NullaryExpr(columns, rank, normal);
  return p * q.transpose() / std::sqrt(static_cast<double>(rows));
}

// Candes et al. (2011), Theorem 1.1: nu = 1 / sqrt(n) recovers from few large entries anywhere.
TEST(ContractionPcp, SeparatesALowRankFromASparseMatrix) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    const Matrix low_rank = random_low_rank(50, 60, 3, rng);
    const Matrix z = low_rank + Matrix::NullaryExpr(50, 60, [&] {
                       return rng.bernoulli(0.05) ? 5 * rng.normal() : 0.0;
                     });
    const ContractionPcp found = contraction_pcp(z, {.weight = 1 / std::sqrt(60.0)});
    EXPECT_TRUE(found.converged);
    EXPECT_LT((found.low_rank - low_rank).norm(), 1e-7 * low_rank.norm()) << "seed " << seed;
    EXPECT_NEAR(found.sparse_share, 0.05, 0.015);
  }
}

TEST(ContractionPcp, CannotSeparateWhatIsNotSparse) {
  Rng rng(1);
  const Matrix low_rank = random_low_rank(50, 50, 3, rng);
  const Matrix z = low_rank + Matrix::NullaryExpr(
                                  50, 50, [&] { return rng.bernoulli(0.7) ? rng.normal() : 0.0; });
  const ContractionPcp found = contraction_pcp(z, {.weight = 1 / std::sqrt(50.0)});
  EXPECT_GT((found.low_rank - low_rank).norm(), 0.1 * low_rank.norm());
}

TEST(ContractionPcp, SaysWhenItDidNotFinish) {
  Rng rng(1);
  const Matrix z = random_low_rank(20, 20, 2, rng);
  EXPECT_FALSE(contraction_pcp(z, {.weight = 0.2, .max_iterations = 3}).converged);
  EXPECT_EQ(contraction_pcp(Matrix::Zero(4, 5), {.weight = 0.2}).low_rank, Matrix::Zero(4, 5));
}

}  // namespace
}  // namespace sunder
