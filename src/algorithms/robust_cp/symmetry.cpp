#include "algorithms/robust_cp/symmetry.hpp"

namespace sunder::robust {

void tie_modes(Factors& factors) {
  balance(factors);
  for (Index i = 0; i < factors.front().cols(); ++i) {
    Vector mean = factors.front().col(i);
    std::vector<double> signs{1};
    double product = 1;
    for (std::size_t m = 1; m < factors.size(); ++m) {
      signs.push_back(factors[m].col(i).dot(factors.front().col(i)) < 0 ? -1 : 1);
      product *= signs.back();
      mean += signs.back() * factors[m].col(i);
    }
    mean /= static_cast<double>(factors.size());
    // An odd order takes a negative weight into the shared factor: (-u)^3 = -u^3.
    const bool odd = factors.size() % 2 == 1;
    if (odd) mean *= product;
    for (Matrix& factor : factors) factor.col(i) = mean;
    if (!odd && product < 0) factors.front().col(i) *= -1;
  }
}

}  // namespace sunder::robust
