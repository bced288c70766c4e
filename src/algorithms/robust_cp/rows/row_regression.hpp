#pragma once
/// Robust regression of one row.
///
/// Notation:
///   y  its entries    K  the design    a  coefficients    r = y - K a
///   c  scale of the Geman-McClure weights w               q  low quantile of |r|

#include <Eigen/Cholesky>
#include <vector>

#include "algorithms/robust_cp/rows/row_problem.hpp"
#include "engine/kernels/regression.hpp"

namespace sunder::robust {

/// What the regressions of all rows share. The problem outlives it.
class SharedDesign {
 public:
  explicit SharedDesign(const RowProblem& problem);

  const RowProblem& problem() const { return problem_; }
  const kernels::Design& design() const { return design_; }
  /// K'K, and what is added to its diagonal.
  const Matrix& gram() const { return gram_; }
  double shift() const { return shift_; }
  /// Least squares on everything, which the outliers spoil: a place to begin.
  Vector least_squares(Index row, double observed_share) const;
  /// The same with a constant beside the model, which takes the mean of outliers of one sign.
  Vector least_squares_beside_constant(Index row, double observed_share) const;

 private:
  const RowProblem& problem_;
  kernels::Design design_;
  Matrix gram_;
  double shift_ = 0;
  Eigen::LLT<Matrix> factor_;
};

enum class RowStart { least_squares, beside_constant, warm };

/// One row at a time; a thread's room for it.
class RowRegression {
 public:
  /// `sigma`: standard deviation of the inliers. `nonnegative`: no coefficient may be negative.
  RowRegression(const SharedDesign& shared, double sigma, bool nonnegative);

  /// Geman-McClure weights whose scale shrinks with the quantile `share` of |r|, then least squares
  /// on the inliers.
  void solve(Index row, double share, RowStart start, const Vector& warm = {});

  const Vector& coefficients() const { return a_; }

  /// Share of the row's entries within `limit` of the model.
  double share_within(double limit) const;

 private:
  void begin(Index row, RowStart start, const Vector& warm);
  void update_residual();
  double low_quantile_of_residual(double share);
  void step();
  void shrink_scale(double share);
  void fit_inliers(double share);

  const SharedDesign& shared_;
  double sigma_;
  bool nonnegative_;
  bool held_ = false;  ///< no coefficient may be negative at present
  Index length_;
  const double* y_ = nullptr;
  const double* observed_ = nullptr;
  double count_ = 0;
  Vector a_;
  Vector r_;
  Vector w_;
  Matrix normal_;  ///< the lower triangle counts
  Vector gradient_;
  Vector delta_;
  Eigen::LLT<Matrix, Eigen::Lower> solver_;
  std::vector<double> magnitudes_;
};

}  // namespace sunder::robust
