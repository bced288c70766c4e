#pragma once
/// The prior of the rows of one mode. Rows may follow each other, as days do: each resembles the
/// one before it, component by component, as far as the data say so.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// x_0 ~ N(mean, covariance), x_i - mean = persistence * (x_{i-1} - mean) + N(0, innovation).
/// Where rows are not chained, all of them are as the first.
struct RowPrior {
  bool chained = false;
  Vector mean;
  Matrix covariance;
  Vector persistence;
  Matrix innovation;
};

/// The posterior of the rows.
struct RowPosterior {
  RowMatrix means;
  std::vector<Matrix> covariances;  ///< of each row
  std::vector<Matrix> crosses;      ///< of each row with the next; empty where rows are not chained
};

/// Independent rows of this size about zero; a chain starts without persistence.
RowPrior first_prior(int rank, double size, bool chained);

/// What the data and the prior say of the rows together. `precisions` (upper halves, row by row)
/// and `sums` are those of the data alone.
RowPosterior row_posterior(const RowPrior& prior, const RowMatrix& precisions,
                           const RowMatrix& sums);

/// Estimates the prior anew (a step of expectation maximisation). A further row of zeros keeps it
/// finite where nothing is known. The persistence moves only if asked to.
void estimate_prior(const RowPosterior& rows, bool with_persistence, RowPrior& prior);

/// The upper half of a symmetric matrix, row by row, and back.
Eigen::RowVectorXd packed(const Matrix& symmetric);
Matrix unpacked(const Eigen::Ref<const Eigen::RowVectorXd>& half, Index rank);

}  // namespace sunder::robust
