#pragma once
/// Robust regressions of many rows under noise.
///
/// Where factors are sparse or peaked, most entries of a row are zero whatever its coefficients
/// are. A scale that follows the residuals would shrink to the noise of these at once, and lock the
/// others out. Here the scale falls at a given pace instead, and rows through a few entries are
/// tried as well.

#include "algorithms/robust_cp/rows/row_problem.hpp"

namespace sunder::robust {

struct NoisyRowOptions {
  double sigma = 0;  ///< standard deviation of the noise
  int threads = 1;
  bool nonnegative = false;  ///< no coefficient may be negative
};

struct NoisyRowFits {
  Matrix coefficients;       ///< a row each
  Eigen::ArrayXd cost;       ///< mean Geman-McClure cost, at four standard deviations of the noise
  Eigen::ArrayXd deviation;  ///< of the noise, as the inner residuals of a row show it
};

NoisyRowFits fit_noisy_rows(const RowProblem& problem, const NoisyRowOptions& options, Rng& rng,
                            Monitor& monitor);

/// The cost of given coefficients.
Eigen::ArrayXd row_costs(const RowProblem& problem, const Matrix& coefficients, double sigma);

}  // namespace sunder::robust
