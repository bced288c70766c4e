#include "algorithms/robust_cp/noise/completion/covariance.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/noise/completion/mode_products.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

struct Spectrum {
  Matrix vectors;
  Vector values;
};

/// Eigenvalues are at least this share of the largest.
Spectrum spectrum_of(const Matrix& symmetric, double least) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric);
  const double largest = std::max(eigen.eigenvalues().maxCoeff(), tiny);
  return {eigen.eigenvectors(), eigen.eigenvalues().cwiseMax(least * largest)};
}

/// The covariance in which correlations are the average of those at the same distance. Averages
/// over the number of rows rather than of pairs keep it positive.
Matrix stationary_part(const Matrix& covariance) {
  const Index rows = covariance.rows();
  const Vector deviations = covariance.diagonal().cwiseMax(tiny).cwiseSqrt();
  Vector correlations = Vector::Zero(rows);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = i; j < rows; ++j) {
      correlations[j - i] += covariance(i, j) / (deviations[i] * deviations[j]);
    }
  }
  correlations /= static_cast<double>(rows);
  return Matrix::NullaryExpr(rows, rows, [&](Index i, Index j) {
    return deviations[i] * deviations[j] * correlations[std::abs(i - j)];
  });
}

}  // namespace

SeparableCovariance::SeparableCovariance(const Shape& shape, const Entries& residuals,
                                         const Entries& weights)
    : shape_(shape) {
  const Entries root = weights.sqrt();
  for (int mode = 0; mode < shape.order(); ++mode) {
    const RowMatrix rows = unfold(shape, root * residuals, mode);
    const RowMatrix known = unfold(shape, root, mode);
    const Matrix products = product_of(rows, rows.transpose());
    const Matrix pairs = product_of(known, known.transpose()).cwiseMax(1);
    const Spectrum spectrum =
        spectrum_of(products.cwiseQuotient(pairs), limits::least_first_eigenvalue);
    matrices_.emplace_back(spectrum.vectors * spectrum.values.asDiagonal() *
                           spectrum.vectors.transpose());
    matrices_.back() /= matrices_.back().diagonal().mean();
  }
  matrices_.back() *= (weights * residuals.square()).sum() / std::max(weights.sum(), tiny);
  decompose();
}

void SeparableCovariance::estimate(const Entries& drawn) {
  for (int mode = 0; mode < shape_.order(); ++mode) {
    std::vector<Matrix> whitening;
    for (int m = 0; m < shape_.order(); ++m) {
      if (m == mode) {
        whitening.emplace_back(Matrix::Identity(shape_[m], shape_[m]));
        continue;
      }
      const Spectrum spectrum = spectrum_of(matrices_[m], limits::least_eigenvalue);
      whitening.emplace_back(spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal() *
                             spectrum.vectors.transpose());
    }
    const RowMatrix rows = unfold(shape_, times(shape_, whitening, drawn), mode);
    const Matrix products = product_of(rows, rows.transpose());
    const auto columns = static_cast<double>(rows.cols());
    const double prior = limits::stationary_rows * static_cast<double>(rows.rows());
    matrices_[mode] = (products + prior * stationary_part(products / columns)) / (columns + prior);
  }
  normalise();
  decompose();
}

void SeparableCovariance::normalise() {
  for (std::size_t m = 0; m + 1 < matrices_.size(); ++m) {
    const double size = matrices_[m].diagonal().mean() + tiny;
    matrices_[m] /= size;
    matrices_.back() *= size;
  }
}

void SeparableCovariance::decompose() {
  vectors_.clear();
  values_ = Entries::Ones(1);
  for (const Matrix& matrix : matrices_) {
    Spectrum spectrum = spectrum_of(matrix, limits::least_eigenvalue);
    vectors_.push_back(std::move(spectrum.vectors));
    Entries longer(values_.size() * spectrum.values.size());
    for (Index k = 0; k < values_.size(); ++k) {
      longer.segment(k * spectrum.values.size(), spectrum.values.size()) =
          values_[k] * spectrum.values.array();
    }
    values_ = std::move(longer);
  }
}

}  // namespace sunder::robust
