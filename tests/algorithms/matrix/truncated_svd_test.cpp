#include "algorithms/matrix/truncated_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace sunder {
namespace {

Matrix random_matrix(Index rows, Index columns, Rng& rng) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

class DenseMatrix final : public TensorOperator {
 public:
  explicit DenseMatrix(Matrix matrix) : matrix_(std::move(matrix)) {}
  Shape shape() const override { return {matrix_.rows(), matrix_.cols()}; }
  std::vector<Matrix> mttkrps(const std::vector<Matrix>& factors, ModeSet modes) override {
    ++products;
    std::vector<Matrix> result(2);
    if (modes[0]) result[0] = matrix_ * factors[1];
    if (modes[1]) result[1] = matrix_.transpose() * factors[0];
    return result;
  }
  const Matrix& matrix() const { return matrix_; }
  int products = 0;

 private:
  Matrix matrix_;
};

/// Singular values 1, 1/2, 1/4, ...
Matrix with_decaying_spectrum(Index rows, Index columns, Rng& rng) {
  const Index inner = std::min(rows, columns);
  Vector values(inner);
  for (Index i = 0; i < inner; ++i) values[i] = std::exp2(-static_cast<double>(i));
  const auto basis = [&](Index length) -> Matrix {
    return Eigen::HouseholderQR<Matrix>(random_matrix(length, inner, rng)).householderQ() *
           Matrix::Identity(length, inner);
  };
  return basis(rows) * values.asDiagonal() * basis(columns).transpose();
}

Matrix dense(const CpModel& model) {
  return model.factor(0) * model.weights().asDiagonal() * model.factor(1).transpose();
}

TEST(TruncatedSvd, AgreesWithTheDenseDecomposition) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{30, 50}, {50, 30}, {7, 7}, {5, 90}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Rng rng(seed);
      DenseMatrix matrix(with_decaying_spectrum(rows, columns, rng));
      SingularTriplets found = random_triplets(matrix.shape(), 7, rng);
      refine(matrix, found, {.leading = 3, .tolerance = 1e-13, .reduction = 0});
      const Eigen::JacobiSVD<Matrix> svd(matrix.matrix(),
                                         Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Matrix best = svd.matrixU().leftCols(3) * svd.singularValues().head(3).asDiagonal() *
                          svd.matrixV().leftCols(3).transpose();
      SCOPED_TRACE(to_string(matrix.shape()) + ", seed " + std::to_string(seed));
      EXPECT_LT((dense(found.leading(3)) - best).norm(), 1e-11);
      EXPECT_LT((found.values.head(3) - svd.singularValues().head(3)).norm(), 1e-12);
      const Matrix gram = found.left.transpose() * found.left;
      EXPECT_LT((gram - Matrix::Identity(gram.rows(), gram.cols())).norm(), 1e-12);
    }
  }
}

TEST(TruncatedSvd, TheTripletsOfANearbyMatrixSaveProducts) {
  Rng rng(1);
  DenseMatrix matrix(with_decaying_spectrum(40, 60, rng));
  SingularTriplets found = random_triplets(matrix.shape(), 6, rng);
  const TruncatedSvdOptions options{.leading = 3, .tolerance = 1e-9, .reduction = 0};
  refine(matrix, found, options);
  const int cold = matrix.products;
  DenseMatrix nearby(matrix.matrix() + 1e-6 * random_matrix(40, 60, rng));
  refine(nearby, found, options);
  EXPECT_LT(nearby.products, cold);
  DenseMatrix same(nearby.matrix());
  refine(same, found, {.leading = 3, .tolerance = 1e-8, .reduction = 0});
  EXPECT_EQ(same.products, 1);  // which finds that there is nothing to do
}

TEST(TruncatedSvd, StopsAtTheReductionAskedFor) {
  Rng rng(2);
  DenseMatrix matrix(with_decaying_spectrum(40, 40, rng));
  SingularTriplets rough = random_triplets(matrix.shape(), 4, rng);
  SingularTriplets fine = rough;
  EXPECT_GT(refine(matrix, rough, {.leading = 2, .reduction = 0.1}), 1e-6);
  const int few = matrix.products;
  EXPECT_LT(refine(matrix, fine, {.leading = 2, .reduction = 1e-8}), 1e-7);
  EXPECT_GT(matrix.products - few, few);
}

TEST(TruncatedSvd, AMatrixOfZerosHasZeroValues) {
  Rng rng(3);
  DenseMatrix matrix(Matrix::Zero(6, 4));
  SingularTriplets found = random_triplets(matrix.shape(), 9, rng);
  EXPECT_EQ(found.columns(), 4);
  EXPECT_EQ(refine(matrix, found, {.leading = 2}), 0);
  EXPECT_EQ(found.values.norm(), 0);
  EXPECT_TRUE(found.left.allFinite());
}

}  // namespace
}  // namespace sunder
