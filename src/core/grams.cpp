#include "core/grams.hpp"

namespace sunder {

Matrix gram_of(const Matrix& factor) { return factor.transpose() * factor; }

Matrix gram_product_of_others(const std::vector<Matrix>& factors, std::size_t skip) {
  const Index rank = factors.front().cols();
  Matrix product = Matrix::Ones(rank, rank);
  for (std::size_t mode = 0; mode < factors.size(); ++mode) {
    if (mode != skip) product.array() *= gram_of(factors[mode]).array();
  }
  return product;
}

}  // namespace sunder
