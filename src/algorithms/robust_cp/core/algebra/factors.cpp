#include "algorithms/robust_cp/core/algebra/factors.hpp"

#include <cmath>

#include "core/statistics.hpp"

namespace sunder::robust {

CpModel as_model(const Factors& factors) { return {Vector::Ones(factors.front().cols()), factors}; }

void balance(Factors& factors) {
  const auto order = static_cast<double>(factors.size());
  for (Index i = 0; i < factors.front().cols(); ++i) {
    double product = 1;
    for (const Matrix& factor : factors) product *= factor.col(i).stableNorm() + tiny;
    const double length = std::pow(product, 1 / order);
    for (Matrix& factor : factors) {
      factor.col(i) *= length / (factor.col(i).stableNorm() + tiny);
    }
  }
}

double norm(const Factors& factors) { return as_model(factors).norm(); }

Eigen::ArrayXd component_sizes(const Factors& factors) {
  Eigen::ArrayXd sizes = Eigen::ArrayXd::Ones(factors.front().cols());
  for (const Matrix& factor : factors) sizes *= factor.colwise().norm().transpose().array();
  return sizes;
}

double distance(const Factors& a, const Factors& b) { return as_model(a).distance(as_model(b)); }

Factors stepped(Factors factors, const Factors& delta) {
  for (std::size_t m = 0; m < factors.size(); ++m) factors[m] += delta[m];
  return factors;
}

Matrix khatri_rao_of_others(const Factors& factors, int skip) {
  Matrix product = Matrix::Ones(1, factors.front().cols());
  for (int mode = 0; mode < static_cast<int>(factors.size()); ++mode) {
    if (mode != skip) product = khatri_rao(product, factors[mode]);
  }
  return product;
}

}  // namespace sunder::robust
