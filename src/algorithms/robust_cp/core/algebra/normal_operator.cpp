#include "algorithms/robust_cp/core/algebra/normal_operator.hpp"

#include <Eigen/LU>
#include <cmath>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/grams.hpp"

namespace sunder::robust {

double dot(const Factors& a, const Factors& b) {
  double sum = 0;
  for (std::size_t m = 0; m < a.size(); ++m) sum += a[m].cwiseProduct(b[m]).sum();
  return sum;
}

void add_scaled(Factors& y, double scale, const Factors& x) {
  for (std::size_t m = 0; m < y.size(); ++m) y[m] += scale * x[m];
}

NormalOperator::NormalOperator(const Factors& factors, double damping) : factors_(factors) {
  const std::size_t order = factors.size();
  const Index rank = factors.front().cols();
  double size = 0;
  for (const Matrix& factor : factors) {
    grams_.push_back(gram_of(factor));
    size += grams_.back().trace() / static_cast<double>(rank * static_cast<Index>(order));
  }
  mu_ = damping * std::pow(size, static_cast<double>(order - 1));
  for (std::size_t m = 0; m < order; ++m) {
    for (std::size_t q = 0; q < order; ++q) pair_.push_back(product_of_grams(m, q));
    block_.push_back(pair_[m * order + m]);
    const double shift = mu_ + levels::ridge * block_[m].trace() / static_cast<double>(rank) +
                         levels::gauss_newton::least_diagonal;
    inverse_.emplace_back((block_[m] + shift * Matrix::Identity(rank, rank)).inverse());
  }
}

Factors NormalOperator::apply(const Factors& x) const {
  const std::size_t order = factors_.size();
  std::vector<Matrix> cross(order);
  for (std::size_t q = 0; q < order; ++q) cross[q] = product_of(x[q].transpose(), factors_[q]);
  Factors y(order);
  for (std::size_t m = 0; m < order; ++m) {
    Matrix coupling = Matrix::Zero(block_[m].rows(), block_[m].cols());
    for (std::size_t q = 0; q < order; ++q) {
      if (q != m) coupling += cross[q].cwiseProduct(pair_[m * order + q]);
    }
    y[m] = product_of(x[m], block_[m]) + mu_ * x[m];
    multiply(factors_[m], coupling, y[m], true);
  }
  return y;
}

Factors NormalOperator::precondition(const Factors& x) const {
  Factors y(x.size());
  for (std::size_t m = 0; m < x.size(); ++m) y[m] = product_of(x[m], inverse_[m]);
  return y;
}

Matrix NormalOperator::product_of_grams(std::size_t skip, std::size_t skip_too) const {
  Matrix product = Matrix::Ones(grams_.front().rows(), grams_.front().cols());
  for (std::size_t q = 0; q < grams_.size(); ++q) {
    if (q != skip && q != skip_too) product.array() *= grams_[q].array();
  }
  return product;
}

}  // namespace sunder::robust
