#pragma once
/// The normal equations of a model's factors: all of them are unknowns, and only their Grams count.

#include <vector>

#include "algorithms/robust_cp/core/algebra/factors.hpp"

namespace sunder::robust {

double dot(const Factors& a, const Factors& b);
/// y += scale x
void add_scaled(Factors& y, double scale, const Factors& x);

/// J'J + mu I as an operator on factor-shaped unknowns. J is the Jacobian of the factors -> L.
class NormalOperator {
 public:
  /// `damping` is mu relative to the size of J'J. The factors outlive the operator.
  NormalOperator(const Factors& factors, double damping);

  Factors apply(const Factors& x) const;
  /// Divides by the block-diagonal of J'J + mu I.
  Factors precondition(const Factors& x) const;

 private:
  Matrix product_of_grams(std::size_t skip, std::size_t skip_too) const;

  const Factors& factors_;
  std::vector<Matrix> grams_;
  std::vector<Matrix> pair_;  ///< product of the Grams of all modes but two
  std::vector<Matrix> block_;
  std::vector<Matrix> inverse_;
  double mu_ = 0;
};

}  // namespace sunder::robust
