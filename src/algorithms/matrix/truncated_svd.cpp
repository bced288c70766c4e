// Notation:
//   A        the matrix, m x n
//   U, V     left and right columns of the block, orthonormal
//   sigma    values of the block (Ritz values, below the true singular values)
#include "algorithms/matrix/truncated_svd.hpp"

#include <algorithm>
#include <cassert>

#include "core/dense.hpp"

namespace sunder {

namespace {

/// With Y = A V known, the best approximation of A within the span of V is Y V^T; its singular
/// values and vectors come from the small triangle of Y = Q R. The columns of V turn accordingly.
void rayleigh_ritz(const Matrix& product, Matrix& renewed, Vector& values, Matrix& turned) {
  const Qr qr = thin_qr(product);
  const Svd svd = jacobi_svd(qr.triangle);
  renewed = qr.basis * svd.u;
  values = svd.values;
  turned = turned * svd.v;
}

}  // namespace

CpModel SingularTriplets::leading(Index rank) const {
  const Index count = std::min(rank, columns());
  return {values.head(count), {left.leftCols(count), right.leftCols(count)}};
}

double longest_row(const Eigen::Ref<const Matrix>& vectors) {
  return vectors.rowwise().norm().maxCoeff();
}

SingularTriplets random_triplets(const Shape& matrix, Index columns, Rng& rng) {
  assert(matrix.order() == 2);
  const Index count = std::min({columns, matrix[0], matrix[1]});
  const Matrix random = Matrix::NullaryExpr(matrix[1], count, [&] { return rng.normal(); });
  return {Matrix::Zero(matrix[0], count), Vector::Zero(count), thin_qr(random).basis, 0};
}

double refine(TensorOperator& matrix, SingularTriplets& triplets,
              const TruncatedSvdOptions& options) {
  const Index k = std::min(options.leading, triplets.columns());
  double residual = 0;
  double enough = 0;
  for (int product = 0; product < options.max_products; ++product) {
    const int side = triplets.next_side;
    Matrix& renewed = side == 0 ? triplets.left : triplets.right;
    Matrix& turned = side == 0 ? triplets.right : triplets.left;
    const Matrix image = matrix.mttkrp({triplets.left, triplets.right}, side);
    residual =
        (image.leftCols(k) - renewed.leftCols(k) * triplets.values.head(k).asDiagonal()).norm();
    rayleigh_ritz(image, renewed, triplets.values, turned);
    // The sides alternate from one call to the next as well: a second product of the same side
    // would find a residual of zero, whatever the residual of the other side is.
    triplets.next_side = 1 - side;
    if (product == 0) enough = options.reduction * residual;
    if (residual <= std::max(enough, options.tolerance * triplets.values[0])) break;
  }
  return residual;
}

}  // namespace sunder
