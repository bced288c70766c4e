// Notation:
//   A        the unfolding, rows x columns
//   sigma    its singular values, U and V its singular vectors
//   tau      threshold
#include "algorithms/matrix/unfolding.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/dense.hpp"
#include "core/region_failure.hpp"

namespace sunder {

namespace {

template <class Scalar, int storage>
using MapOf = Eigen::Map<
    std::conditional_t<std::is_const_v<Scalar>,
                       const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, storage>,
                       Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, storage>>,
    0, Eigen::OuterStride<>>;

}  // namespace

Unfolding::Unfolding(const Shape& shape, int mode, int threads)
    : rows_(shape[mode]), threads_(threads > 0 ? threads : omp_get_num_procs()) {
  for (int m = 0; m < mode; ++m) outer_ *= shape[m];
  for (int m = mode + 1; m < shape.order(); ++m) inner_ *= shape[m];
  // Each chunk has its own Gram matrix; together they are never larger than the tensor.
  chunks_ = std::clamp<Index>(columns() / rows_, 1, 16);
}

/// Calls visit(block, first) for pieces of A^T that lie in memory as matrices, count x rows.
template <class Pointer, class Visitor>
void Unfolding::visit_chunk(Pointer data, Index chunk, Visitor&& visit) const {
  using Scalar = std::remove_pointer_t<Pointer>;
  const Index begin = columns() * chunk / chunks_;
  const Index end = columns() * (chunk + 1) / chunks_;
  if (inner_ == 1) {
    visit(MapOf<Scalar, Eigen::RowMajor>(data + begin * rows_, end - begin, rows_,
                                         Eigen::OuterStride<>(rows_)),
          begin);
    return;
  }
  for (Index at = begin; at < end;) {
    const Index outer = at / inner_;
    const Index stop = std::min(end, (outer + 1) * inner_);
    visit(MapOf<Scalar, Eigen::ColMajor>(data + outer * (rows_ - 1) * inner_ + at, stop - at, rows_,
                                         Eigen::OuterStride<>(inner_)),
          at);
    at = stop;
  }
}

template <class Work>
void Unfolding::for_each_chunk(Work&& work) const {
  RegionFailure failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (Index chunk = 0; chunk < chunks_; ++chunk) failure.guard([&] { work(chunk); });
  failure.rethrow();
}

Matrix Unfolding::gram(std::span<const double> tensor) const {
  std::vector<Matrix> partial(chunks_);
  for_each_chunk([&](Index chunk) {
    Matrix& sum = partial[chunk];
    sum = Matrix::Zero(rows_, rows_);
    visit_chunk(tensor.data(), chunk, [&](const auto& block, Index) {
      sum.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    });
  });
  for (std::size_t chunk = 1; chunk < partial.size(); ++chunk) partial[0] += partial[chunk];
  return partial[0].selfadjointView<Eigen::Lower>();
}

Matrix Unfolding::times(std::span<const double> tensor, const Matrix& basis) const {
  Matrix product(columns(), basis.cols());
  for_each_chunk([&](Index chunk) {
    visit_chunk(tensor.data(), chunk, [&](const auto& block, Index first) {
      product.middleRows(first, block.rows()).noalias() = block * basis;
    });
  });
  return product;
}

void Unfolding::assemble(const LowRankUnfolding& parts, std::span<double> tensor) const {
  for_each_chunk([&](Index chunk) {
    visit_chunk(tensor.data(), chunk, [&](auto block, Index first) {
      block.noalias() = parts.right.middleRows(first, block.rows()) * parts.left.transpose();
    });
  });
}

double spectral_norm(const Unfolding& unfolding, std::span<const double> tensor) {
  return std::sqrt(symmetric_eigenvalues(unfolding.gram(tensor)).maxCoeff());
}

LowRankUnfolding shrunk(const Unfolding& unfolding, std::span<const double> tensor,
                        double threshold) {
  const SymmetricEigen eigen = symmetric_eigen(unfolding.gram(tensor));
  const Vector& squares = eigen.values;  // ascending
  // The Gram matrix knows sigma^2 to rounding of sigma_1^2 only: enough to tell which vectors are
  // needed, with those down to tau/2 to be safe. Their sigma come from A itself, below.
  Index count = (squares.array() > 0.25 * threshold * threshold).count();
  count = std::min(count, unfolding.columns());
  const Matrix candidates = eigen.vectors.rightCols(count);
  const Matrix image = unfolding.times(tensor, candidates);
  if (count == 0) return {candidates, image};
  // U^T A = (Q R)^T, and the singular values of R are those of A within the span, to rounding.
  const Svd svd = jacobi_svd(qr_triangle(image), SingularVectors::right);
  const Vector& sigma = svd.values;
  const Index rank = (sigma.array() > threshold).count();
  const Matrix turn = svd.v.leftCols(rank);
  const Vector factor = 1 - threshold / sigma.head(rank).array();
  return {candidates * turn, image * (turn * factor.asDiagonal())};
}

LowRankUnfolding truncated(const Unfolding& unfolding, std::span<const double> tensor, Index rank) {
  const SymmetricEigen eigen = symmetric_eigen(unfolding.gram(tensor));
  const Index count = std::min({rank, unfolding.rows(), unfolding.columns()});
  Matrix left = eigen.vectors.rightCols(count).rowwise().reverse();
  Matrix right = unfolding.times(tensor, left);
  return {std::move(left), std::move(right)};
}

}  // namespace sunder
