#include "core/dense.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

Matrix random_matrix(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

TEST(Dense, DecompositionsGiveTheMatrixBack) {
  Rng rng(1);
  for (const auto& [rows, columns] : {std::pair<Index, Index>{9, 4}, {4, 9}, {6, 6}, {1, 3}}) {
    const Matrix a = random_matrix(rows, columns, rng);
    const Index k = std::min(rows, columns);
    for (const Svd& svd : {thin_svd(a), jacobi_svd(a)}) {
      EXPECT_EQ(svd.u.cols(), k);
      EXPECT_EQ(svd.v.cols(), k);
      EXPECT_LT((svd.u * svd.values.asDiagonal() * svd.v.transpose() - a).norm(), 1e-13 * a.norm());
      EXPECT_LT((svd.u.transpose() * svd.u - Matrix::Identity(k, k)).norm(), 1e-13);
      EXPECT_TRUE(std::is_sorted(svd.values.begin(), svd.values.end(), std::greater<>()));
    }
    const Qr qr = thin_qr(a);
    EXPECT_LT((qr.basis * qr.triangle - a).norm(), 1e-13 * a.norm());
    EXPECT_LT((qr.basis.transpose() * qr.basis - Matrix::Identity(k, k)).norm(), 1e-13);
    EXPECT_EQ(qr_triangle(a), qr.triangle);
    EXPECT_TRUE(qr.triangle.leftCols(k).isUpperTriangular());
    const Matrix gram = a.transpose() * a;
    const SymmetricEigen eigen = symmetric_eigen(gram);
    EXPECT_LT((eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose() - gram).norm(),
              1e-13 * gram.norm());
    EXPECT_LT((symmetric_eigenvalues(gram) - eigen.values).norm(), 1e-13 * gram.norm());
  }
}

TEST(Dense, VectorsThatAreNotWantedAreNotComputed) {
  Rng rng(2);
  const Matrix a = random_matrix(5, 3, rng);
  EXPECT_EQ(thin_svd(a, SingularVectors::none).u.size(), 0);
  EXPECT_EQ(thin_svd(a, SingularVectors::left).v.size(), 0);
  EXPECT_EQ(jacobi_svd(a, SingularVectors::right).u.size(), 0);
  EXPECT_EQ(jacobi_svd(a, SingularVectors::right).v.cols(), 3);
}

}  // namespace
}  // namespace sunder
