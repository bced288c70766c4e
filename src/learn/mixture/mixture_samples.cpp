#include "learn/mixture/mixture_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/statistics.hpp"

namespace sunder {

namespace {

constexpr double far_beyond = 3;  // multiple of the median distance
constexpr Index chunk_rows = 1024;

/// Returns |x - mu_k|^2 for the rows of a chunk and all k.
Matrix squared_distances(const Matrix& chunk, const Matrix& means) {
  Matrix distances = -2 * chunk * means;
  distances.colwise() += chunk.rowwise().squaredNorm();
  distances.rowwise() += means.colwise().squaredNorm();
  return distances.cwiseMax(0.0);
}

}  // namespace

std::vector<Index> central_samples(const Matrix& samples) {
  const Index count = samples.rows();
  Vector squares = Vector::Zero(count);
  for (Index j = 0; j < samples.cols(); ++j) {
    const auto column = samples.col(j);
    const double centre = median({column.begin(), column.end()});
    const Vector away = (column.array() - centre).abs();
    const double spread = median({away.begin(), away.end()});
    if (spread > 0) squares += (away / spread).cwiseAbs2();
  }
  const double most = far_beyond * far_beyond * median({squares.begin(), squares.end()});
  std::vector<Index> kept;
  for (Index i = 0; i < count; ++i) {
    if (squares[i] <= most) kept.push_back(i);
  }
  return kept;
}

std::vector<Index> explained_samples(const Matrix& samples, const SphericalMixture& mixture,
                                     double width) {
  const auto dimension = static_cast<double>(samples.cols());
  const double most = mixture.variance * (dimension + width * std::sqrt(2 * dimension));
  std::vector<Index> kept;
  for (Index begin = 0; begin < samples.rows(); begin += chunk_rows) {
    const Index rows = std::min(chunk_rows, samples.rows() - begin);
    const Matrix distances = squared_distances(samples.middleRows(begin, rows), mixture.means);
    for (Index i = 0; i < rows; ++i) {
      if (distances.row(i).minCoeff() <= most) kept.push_back(begin + i);
    }
  }
  return kept;
}

double refine(const Matrix& samples, const std::vector<Index>& kept, SphericalMixture& mixture) {
  const Index n = samples.cols();
  const Index components = mixture.means.cols();
  Matrix sums = Matrix::Zero(n, components);
  Vector mass = Vector::Zero(components);
  double squares = 0;
  for (std::size_t begin = 0; begin < kept.size(); begin += chunk_rows) {
    const auto rows = static_cast<Index>(std::min<std::size_t>(chunk_rows, kept.size() - begin));
    Matrix chunk(rows, n);
    for (Index i = 0; i < rows; ++i) {
      chunk.row(i) = samples.row(kept[begin + static_cast<std::size_t>(i)]);
    }
    const Matrix distances = squared_distances(chunk, mixture.means);
    Matrix share = -distances / (2 * mixture.variance);
    share.rowwise() += mixture.weights.array().log().matrix().transpose();
    share.colwise() -= share.rowwise().maxCoeff().eval();
    share = share.array().exp().matrix();
    share = share.rowwise().sum().cwiseInverse().asDiagonal() * share;
    sums += chunk.transpose() * share;
    mass += share.colwise().sum().transpose();
    squares += distances.cwiseProduct(share).sum();
  }
  const Vector least = Vector::Constant(components, std::numeric_limits<double>::min());
  const Matrix means = sums * mass.cwiseMax(least).cwiseInverse().asDiagonal();
  const double moved = (means - mixture.means).norm() / std::sqrt(mixture.variance);
  mixture.means = means;
  mixture.weights = mass / mass.sum();
  mixture.variance = squares / (mass.sum() * static_cast<double>(n));
  return moved;
}

}  // namespace sunder
