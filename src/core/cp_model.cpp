#include "sunder/core/cp_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/dense.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

CpModel::CpModel(Vector weights, std::vector<Matrix> factors)
    : weights_(std::move(weights)), factors_(std::move(factors)) {
  for (std::size_t mode = 0; mode < factors_.size(); ++mode) {
    if (factors_[mode].cols() != weights_.size()) {
      throw InputError(fmt::format("factor {} has {} columns, but there are {} weights", mode,
                                   factors_[mode].cols(), weights_.size()));
    }
  }
}

CpModel CpModel::zero(const Shape& shape) {
  std::vector<Matrix> factors;
  for (const Index extent : shape) factors.emplace_back(extent, 0);
  return {Vector(0), std::move(factors)};
}

Shape CpModel::shape() const {
  std::vector<Index> extents;
  for (const Matrix& factor : factors_) extents.push_back(factor.rows());
  return Shape(extents);
}

void CpModel::normalise() {
  for (Matrix& factor : factors_) {
    for (Index i = 0; i < factor.cols(); ++i) {
      const double length = factor.col(i).stableNorm();
      weights_[i] *= length;
      if (length > 0) factor.col(i) /= length;
    }
  }
  for (Index i = 0; i < weights_.size(); ++i) {
    if (weights_[i] >= 0) continue;
    weights_[i] = -weights_[i];
    factors_.back().col(i) *= -1;
  }
}

void CpModel::sort_by_weight() {
  Vector size = weights_.cwiseAbs();
  for (const Matrix& factor : factors_) {
    size.array() *= factor.colwise().norm().transpose().array();
  }
  std::vector<Index> by_size(rank());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](Index a, Index b) { return size[a] > size[b]; });
  weights_ = Vector(weights_(by_size));
  for (Matrix& factor : factors_) factor = Matrix(factor(Eigen::all, by_size));
}

CpModel CpModel::leading(int rank) const {
  assert(0 <= rank && rank <= this->rank());
  std::vector<Matrix> factors;
  for (const Matrix& factor : factors_) factors.emplace_back(factor.leftCols(rank));
  return {weights_.head(rank), std::move(factors)};
}

double CpModel::entry(std::span<const Index> index) const {
  Eigen::ArrayXd product = weights_.array();
  for (int mode = 0; mode < order(); ++mode) {
    product *= factor(mode).row(index[mode]).transpose().array();
  }
  return product.sum();
}

void CpModel::evaluate(std::span<const Index> begin, const Shape& extents,
                       std::span<double> out) const {
  assert(extents.order() == order());
  assert(std::ssize(out) == extents.entries());
  // Collapse all modes but the last into one tall factor; the last one is a matrix product.
  Matrix rows = weights_.transpose();
  for (int mode = 0; mode + 1 < order(); ++mode) {
    rows = khatri_rao(rows, factor(mode).middleRows(begin[mode], extents[mode]));
  }
  const int last = order() - 1;
  const auto columns = factor(last).middleRows(begin[last], extents[last]);
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      out.data(), rows.rows(), columns.rows()) = rows * columns.transpose();
}

double CpModel::inner(const CpModel& other) const {
  assert(order() == other.order());
  Matrix product = weights_ * other.weights_.transpose();
  for (int mode = 0; mode < order(); ++mode) {
    product.array() *= (factor(mode).transpose() * other.factor(mode)).array();
  }
  return product.sum();
}

double CpModel::norm() const { return std::sqrt(std::max(0.0, inner(*this))); }

namespace {

/// Computes the squared norm of a model with dense factors.
double square_norm_by_qr(const Vector& weights, const std::vector<Matrix>& factors) {
  // Orthogonal transforms preserve the norm. So replace each factor by the R of its QR, join two
  // modes by a Khatri-Rao product, and shrink the result by QR again; the last mode is a matrix
  // product. Nothing larger than r^2 x r is formed, and the cancellation happens between entries,
  // not between squared norms.
  Matrix joint = qr_triangle(factors.front());
  for (std::size_t mode = 1; mode + 1 < factors.size(); ++mode) {
    joint = khatri_rao(joint, qr_triangle(factors[mode]));
    if (mode + 2 < factors.size() && joint.rows() > joint.cols()) joint = qr_triangle(joint);
  }
  if (factors.size() == 1) return (joint * weights).squaredNorm();
  return (joint * weights.asDiagonal() * qr_triangle(factors.back()).transpose()).squaredNorm();
}

/// Finds a factor that is mostly zeros (slices stacked into one model have such a factor); returns
/// the number of factors if there is none.
std::size_t find_sparse(const std::vector<Matrix>& factors) {
  const auto sparse = [](const Matrix& factor) {
    return 4 * (factor.array() != 0).count() < factor.size();
  };
  return static_cast<std::size_t>(std::find_if(factors.begin(), factors.end(), sparse) -
                                  factors.begin());
}

/// Computes the squared norm. Where one factor is mostly zeros, each of its rows selects a few of
/// the hundreds of components, and only those contribute.
double square_norm(const Vector& weights, const std::vector<Matrix>& factors) {
  const std::size_t sparse = factors.size() > 1 ? find_sparse(factors) : factors.size();
  if (sparse == factors.size()) return square_norm_by_qr(weights, factors);
  double sum = 0;
  for (Index row = 0; row < factors[sparse].rows(); ++row) {
    std::vector<Index> present;
    for (Index i = 0; i < weights.size(); ++i) {
      if (factors[sparse](row, i) != 0) present.push_back(i);
    }
    if (present.empty()) continue;
    const Vector here = weights.array() * factors[sparse].row(row).transpose().array();
    std::vector<Matrix> others;
    for (std::size_t mode = 0; mode < factors.size(); ++mode) {
      if (mode != sparse) others.emplace_back(factors[mode](Eigen::all, present));
    }
    sum += square_norm(here(present), others);
  }
  return sum;
}

}  // namespace

double CpModel::distance(const CpModel& other) const {
  CpModel negative = other;
  negative.weights_ *= -1;
  const CpModel difference = concatenate(*this, negative);
  if (difference.rank() == 0) return 0;
  // Scale by a power of two, so that squares neither overflow nor underflow when the norm does not.
  const double largest = difference.weights_.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) {
    return std::sqrt(square_norm(difference.weights_, difference.factors_));
  }
  const double scale = std::exp2(std::ilogb(largest));
  return scale * std::sqrt(square_norm(difference.weights_ / scale, difference.factors_));
}

CpModel concatenate(const CpModel& a, const CpModel& b) {
  if (!(a.shape() == b.shape())) {
    throw InputError(fmt::format("the models differ in shape: {} and {}", to_string(a.shape()),
                                 to_string(b.shape())));
  }
  Vector weights(a.rank() + b.rank());
  weights << a.weights(), b.weights();
  std::vector<Matrix> factors;
  for (int mode = 0; mode < a.order(); ++mode) {
    Matrix factor(a.factor(mode).rows(), a.rank() + b.rank());
    factor << a.factor(mode), b.factor(mode);
    factors.push_back(std::move(factor));
  }
  return {std::move(weights), std::move(factors)};
}

Matrix khatri_rao(const Matrix& a, const Matrix& b) {
  assert(a.cols() == b.cols());
  Matrix product(a.rows() * b.rows(), a.cols());
  for (Index column = 0; column < a.cols(); ++column) {
    for (Index i = 0; i < a.rows(); ++i) {
      product.col(column).segment(i * b.rows(), b.rows()) = a(i, column) * b.col(column);
    }
  }
  return product;
}

}  // namespace sunder
