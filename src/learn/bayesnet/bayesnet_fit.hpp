#pragma once
/// Loadings and variances of linear Bayesian networks by weighted least squares.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// c_(k) = U diag(w_k) U', k = 0, 1, ...
struct Loadings {
  Matrix U;  ///< variables x hidden, columns of unit length
  Matrix w;  ///< networks x hidden, not negative
};

/// Minimises the sum over k and i <= j of weights_(k)(i, j) (c_(k)(i, j) - model)^2, starting from
/// `start`, by alternating over the rows of U and of w until they converge. Weights are symmetric;
/// an entry of weight 0 is ignored.
Loadings fit_loadings(const std::vector<Matrix>& covariances, const std::vector<Matrix>& weights,
                      Loadings start);

/// Returns U diag(w_k) U'.
Matrix explained_covariance(const Loadings& loadings, Index network);

}  // namespace sunder
