// Notation:
//   sigma^2  the common variance: the smallest eigenvalues of the covariance, of which all but
//            k - 1 are equal to it (Hsu and Kakade 2013, Theorem 1)
//   M2 = E[x x'] - sigma^2 I
//   M3 = E[x x x] - sigma^2 sum_i (M1 o e_i o e_i + e_i o M1 o e_i + e_i o e_i o M1)
#include <algorithm>

#include "core/dense.hpp"
#include "sunder/learn/mixture_model.hpp"

namespace sunder {

namespace {

constexpr Index chunk_rows = 512;  // 512 rows of 50 doubles stay in the cache for all slices

/// Adds E[x x x] for i <= j, k, times the number of samples.
void add_chunk(const Matrix& chunk, Matrix& third) {
  const Index n = chunk.cols();
  for (Index i = 0; i < n; ++i) {
    const Index left = n - i;
    const auto tail = chunk.rightCols(left);
    const Matrix weighted = chunk.col(i).asDiagonal() * tail;
    // Slice i starts at column n i, where it is contiguous.
    third.block(i, n * i + i, left, left).noalias() += weighted.transpose() * tail;
  }
}

void symmetrise(Matrix& third) {
  const Index n = third.rows();
  for (Index i = 0; i < n; ++i) {
    for (Index j = i; j < n; ++j) {
      for (Index k = j; k < n; ++k) {
        const double value = third(j, k + n * i);
        third(i, j + n * k) = third(i, k + n * j) = third(j, i + n * k) = value;
        third(j, k + n * i) = third(k, i + n * j) = third(k, j + n * i) = value;
      }
    }
  }
}

}  // namespace

MixtureMoments mixture_moments(const Matrix& samples, const std::vector<Index>& kept,
                               int components) {
  const Index n = samples.cols();
  const auto count = static_cast<double>(kept.size());
  MixtureMoments result;
  SymmetricMoments& moments = result.moments;
  moments.first = Vector::Zero(n);
  moments.second = Matrix::Zero(n, n);
  moments.third = Matrix::Zero(n, n * n);
  for (std::size_t begin = 0; begin < kept.size(); begin += chunk_rows) {
    const std::size_t rows = std::min<std::size_t>(chunk_rows, kept.size() - begin);
    Matrix chunk(static_cast<Index>(rows), n);
    for (std::size_t k = 0; k < rows; ++k) {
      chunk.row(static_cast<Index>(k)) = samples.row(kept[begin + k]);
    }
    moments.first += chunk.colwise().sum().transpose();
    moments.second.noalias() += chunk.transpose() * chunk;
    add_chunk(chunk, moments.third);
  }
  moments.first /= count;
  moments.second /= count;
  moments.third /= count;
  symmetrise(moments.third);
  const Vector eigenvalues =
      symmetric_eigenvalues(moments.second - moments.first * moments.first.transpose());
  result.variance = eigenvalues.head(std::max<Index>(1, n - components + 1)).mean();
  moments.second.diagonal().array() -= result.variance;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      const double term = result.variance * moments.first[k];
      moments.third(i, i + n * k) -= term;
      moments.third(i, k + n * i) -= term;
      moments.third(k, i + n * i) -= term;
    }
  }
  return result;
}

}  // namespace sunder
