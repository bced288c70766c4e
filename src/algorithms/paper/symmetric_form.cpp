#include "algorithms/paper/symmetric_form.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

Matrix SymmetricItself::contract(TensorOperator& tensor, const Matrix& x, const Matrix& y) const {
  return tensor.mttkrp({x, x, y}, 0);
}

Matrix SymmetricItself::square(TensorOperator& tensor, const Matrix& v) const {
  return contract(tensor, v, v);
}

CpModel SymmetricItself::component(double lambda, const Vector& v, const Shape&) const {
  return {Vector::Constant(1, lambda), {v, v, v}};
}

namespace {

/// The rows of x that belong to each mode.
std::vector<Matrix> parts(const Matrix& x, const Shape& shape) {
  return {x.topRows(shape[0]), x.middleRows(shape[0], shape[1]), x.bottomRows(shape[2])};
}

Matrix side_by_side(const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d) {
  Matrix all(a.rows(), a.cols() + b.cols() + c.cols() + d.cols());
  all << a, b, c, d;
  return all;
}

Matrix stacked(const Matrix& a, const Matrix& b, const Matrix& c) {
  Matrix all(a.rows() + b.rows() + c.rows(), a.cols());
  all << a, b, c;
  return all;
}

}  // namespace

Matrix SymmetricEmbedding::contract(TensorOperator& tensor, const Matrix& x,
                                    const Matrix& y) const {
  const std::vector<Matrix> p = parts(x, tensor.shape());
  const std::vector<Matrix> q = parts(y, tensor.shape());
  // Four groups of columns serve all three modes in one pass: the first two have the products of
  // modes 1 and 2, the last two those of mode 3.
  const std::vector<Matrix> products =
      tensor.mttkrps({side_by_side(p[0], q[0], p[0], q[0]), side_by_side(p[1], q[1], q[1], p[1]),
                      side_by_side(q[2], p[2], q[2], p[2])},
                     all_modes(3));
  const Index k = x.cols();
  return stacked(products[0].leftCols(k) + products[0].middleCols(k, k),
                 products[1].leftCols(k) + products[1].middleCols(k, k),
                 products[2].middleCols(2 * k, k) + products[2].rightCols(k));
}

Matrix SymmetricEmbedding::square(TensorOperator& tensor, const Matrix& v) const {
  const std::vector<Matrix> products = tensor.mttkrps(parts(v, tensor.shape()), all_modes(3));
  return 2 * stacked(products[0], products[1], products[2]);
}

CpModel SymmetricEmbedding::component(double lambda, const Vector& v, const Shape& shape) const {
  std::vector<Matrix> factors = parts(v, shape);
  // lambda = sym(T)(v, v, v) = 6 T(v1, v2, v3), and sigma = T(v1, v2, v3) / (|v1| |v2| |v3|).
  double weight = lambda / 6;
  for (Matrix& factor : factors) {
    const double norm = factor.norm();
    if (norm == 0) return CpModel::zero(shape);
    factor /= norm;
    weight /= norm;
  }
  return {Vector::Constant(1, weight), std::move(factors)};
}

double SymmetricEmbedding::incoherence_factor(const Shape& shape) {
  const auto shortest = static_cast<double>(*std::min_element(shape.begin(), shape.end()));
  return std::sqrt(static_cast<double>(shape[0] + shape[1] + shape[2]) / (3 * shortest));
}

}  // namespace sunder
