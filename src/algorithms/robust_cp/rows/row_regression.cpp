#include "algorithms/robust_cp/rows/row_regression.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "algorithms/robust_cp/levels/rows.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/grams.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace rows = levels::rows;

SharedDesign::SharedDesign(const RowProblem& problem)
    : problem_(problem),
      design_{problem.design.data(), problem.design.rows(), problem.design.rows(), problem.rank()},
      gram_(gram_of(problem.design)) {
  const Index rank = problem.rank();
  shift_ = levels::ridge * gram_.trace() / static_cast<double>(rank) + tiny;
  factor_.compute(gram_ + shift_ * Matrix::Identity(rank, rank));
}

Vector SharedDesign::least_squares(Index row, double observed_share) const {
  const Vector right_side = problem_.design.transpose() * problem_.values.row(row).transpose();
  return factor_.solve(right_side) / observed_share;
}

Vector SharedDesign::least_squares_beside_constant(Index row, double observed_share) const {
  const auto columns = static_cast<double>(problem_.columns);
  const auto values = problem_.values.row(row);
  const Vector mean = problem_.design.colwise().sum().transpose() / columns;
  const Matrix centred = gram_ - columns * mean * mean.transpose() +
                         shift_ * Matrix::Identity(gram_.rows(), gram_.cols());
  const Vector right_side = problem_.design.transpose() * values.transpose() - values.sum() * mean;
  return centred.ldlt().solve(right_side) / observed_share;
}

RowRegression::RowRegression(const SharedDesign& shared, double sigma, bool nonnegative)
    : shared_(shared),
      sigma_(sigma),
      nonnegative_(nonnegative),
      length_(shared.design().length),
      r_(length_),
      w_(length_),
      normal_(shared.design().rank, shared.design().rank),
      gradient_(shared.design().rank) {}

void RowRegression::solve(Index row, double share, RowStart start, const Vector& warm) {
  begin(row, start, warm);
  held_ = false;
  shrink_scale(share);
  // Only now: coefficients that are zero from the start would fit every entry to which the others
  // contribute nothing, whatever the others are, and the scale of the weights would collapse.
  held_ = nonnegative_;
  fit_inliers(share);
}

void RowRegression::begin(Index row, RowStart start, const Vector& warm) {
  const RowProblem& problem = shared_.problem();
  y_ = problem.values.row(row).data();
  observed_ = problem.complete() ? nullptr : problem.observed.row(row).data();
  count_ = observed_ == nullptr ? static_cast<double>(problem.columns)
                                : std::max(problem.observed.row(row).sum(), 1.0);
  const double seen = count_ / static_cast<double>(std::max<Index>(problem.columns, 1));
  switch (start) {
    case RowStart::least_squares:
      a_ = shared_.least_squares(row, seen);
      break;
    case RowStart::beside_constant:
      a_ = shared_.least_squares_beside_constant(row, seen);
      break;
    case RowStart::warm:
      a_ = warm;
      break;
  }
  update_residual();
}

void RowRegression::shrink_scale(double share) {
  double c = 0;
  for (int k = 0; k < rows::max_steps; ++k) {
    const double q = low_quantile_of_residual(share);
    if (q < rows::quartile_of_inliers * sigma_) return;  // as small as the inliers' can be
    if (k == 0) {
      const double rms = std::sqrt(r_.squaredNorm() / count_);
      c = std::max(rows::first_scale * rms, rows::floor * q) + tiny;
    } else {
      const double towards_floor = std::sqrt(rows::floor * c * q);
      c = std::min(c, std::max(rows::floor * q, std::min(rows::shrink * c, towards_floor)));
    }
    kernels::geman_mcclure_weights(length_, r_.data(), observed_, c, w_.data());
    step();
    const double moved = delta_.dot(shared_.gram() * delta_);
    const double size = a_.dot(shared_.gram() * a_);
    if (moved < rows::converged * (size + tiny)) return;
  }
}

void RowRegression::fit_inliers(double share) {
  double limit = 0;
  for (int round = 0; round < rows::inlier_steps; ++round) {
    if (round == 0 || !held_) {
      const double q = low_quantile_of_residual(share);
      limit = std::max(rows::inlier_limit / quartile_of_normal * q, tiny);
    }
    kernels::threshold_weights(length_, r_.data(), observed_, limit, w_.data());
    step();
  }
}

/// One step of weighted least squares, by the normal equations of the residual: two of them are
/// iterative refinement.
void RowRegression::step() {
  kernels::weighted_normal(shared_.design(), r_.data(), w_.data(), normal_.data(),
                           gradient_.data());
  normal_.diagonal().array() += shared_.shift();
  if (held_) {
    const Matrix whole = normal_.selfadjointView<Eigen::Lower>();
    delta_ = nonnegative_solution(whole, gradient_ + whole * a_) - a_;
  } else {
    solver_.compute(normal_);
    delta_ = solver_.solve(gradient_);
  }
  if (!delta_.allFinite()) delta_.setZero();
  a_ += delta_;
  if (held_) a_ = a_.cwiseMax(0);  // rounding
  update_residual();
}

void RowRegression::update_residual() {
  kernels::row_residual(shared_.design(), y_, a_.data(), r_.data());
  if (observed_ != nullptr) r_.array() *= Eigen::Map<const Entries>(observed_, length_);
}

/// Of |r| over the observed entries; on a part of them where there are many.
double RowRegression::low_quantile_of_residual(double share) {
  const Index columns = shared_.problem().columns;
  const Index every = std::max<Index>(1, columns / rows::enough_for_quantile);
  magnitudes_.clear();
  for (Index j = 0; j < columns; j += every) {
    if (observed_ == nullptr || observed_[j] > 0) magnitudes_.push_back(std::abs(r_[j]));
  }
  return quantile(magnitudes_, share) + tiny;
}

double RowRegression::share_within(double limit) const {
  double inside = 0;
  for (Index j = 0; j < shared_.problem().columns; ++j) {
    if (std::abs(r_[j]) <= limit) inside += observed_ == nullptr ? 1 : observed_[j];
  }
  return inside / count_;
}

}  // namespace sunder::robust
