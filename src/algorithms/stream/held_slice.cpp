// Notation:  y  entries of a slice    K  Khatri-Rao product of the factors, a row for each entry
//            w  coefficients          y - K w  the residual, small on the inliers
#include "algorithms/stream/held_slice.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"
#include "algorithms/run/double_entries.hpp"
#include "core/statistics.hpp"
#include "sunder/core/error.hpp"

namespace sunder::streaming {

namespace {

Matrix design_of(const Factors& factors) { return robust::khatri_rao_of_others(factors, -1); }

/// |residual| on observed entries, thinned where there are many.
std::vector<double> magnitudes(const HeldSlice& slice, const Entries& residual) {
  constexpr Index enough = 20000;
  // An odd step meets every index of an even mode.
  const Index step = residual.size() / enough | 1;
  std::vector<double> list;
  list.reserve(residual.size() / step + 1);
  for (Index i = 0; i < residual.size(); i += step) {
    if (slice.is_observed(i)) list.push_back(std::abs(residual[i]));
  }
  return list;
}

}  // namespace

Index HeldSlice::missing() const { return observed.size() == 0 ? 0 : (observed == 0).count(); }

HeldSlice hold(const TensorView& slice, Index number) {
  const DoubleEntries entries(slice);
  HeldSlice held;
  held.number = number;
  held.values = Eigen::Map<const Entries>(entries.entries().data(), slice.entries());
  if (held.values.isInf().any()) {
    throw InputError(fmt::format(
        "slice {} has an infinite entry; a missing entry is marked by NaN, replace it", number));
  }
  if (held.values.isNaN().any()) {
    held.observed = (!held.values.isNaN()).cast<double>();
    held.values = held.values.isNaN().select(0.0, held.values);
  }
  held.kept = held.observed.size() == 0 ? Entries::Ones(held.values.size()) : held.observed;
  return held;
}

Factors with_coefficients(const Factors& factors, const Vector& w) {
  Factors all = factors;
  all.emplace_back(w.transpose());
  return all;
}

Entries residual_of(const HeldSlice& slice, const Factors& factors) {
  Entries difference = slice.values - robust::evaluate(with_coefficients(factors, slice.w));
  if (slice.observed.size() > 0) difference *= slice.observed;
  return difference;
}

SliceSplit split(const HeldSlice& slice, const Factors& factors) {
  const Entries residual = residual_of(slice, factors);
  SliceSplit result;
  double left = 0;
  double data = 0;
  for (Index i = 0; i < residual.size(); ++i) {
    if (!slice.is_observed(i)) continue;
    if (slice.kept[i] > 0) {
      left += residual[i] * residual[i];
      data += slice.values[i] * slice.values[i];
    } else {
      result.positions.push_back(i);
      result.values.push_back(residual[i]);
    }
  }
  result.residual = data > 0 ? std::sqrt(left / data) : 0;
  return result;
}

void regress(HeldSlice& slice, const Factors& factors, double sigma, double noise_width) {
  const Matrix design = design_of(factors);
  robust::RowProblem problem(1, design.rows(), design.cols());
  problem.design.topRows(design.rows()) = design;
  problem.values.row(0).head(design.rows()) = slice.values.matrix().transpose();
  if (slice.observed.size() > 0) {
    problem.observed = robust::RowMatrix::Zero(1, problem.values.cols());
    problem.observed.row(0).head(design.rows()) = slice.observed.matrix().transpose();
  }
  robust::Monitor monitor;
  const Matrix nothing = Matrix::Zero(1, design.cols());
  const double rounding = robust::rounding_level * median(magnitudes(slice, slice.values));
  slice.w = robust::fit_rows(problem, nothing,
                             {.sigma = sigma, .tolerance = rounding, .threads = 1}, monitor)
                .coefficients.row(0)
                .transpose();
  if (!slice.w.allFinite()) slice.w.setZero();
  judge(slice, factors, noise_width);
  refit(slice, factors);
  judge(slice, factors, noise_width);
}

void refit(HeldSlice& slice, const Factors& factors) {
  const Matrix design = design_of(factors);
  const Matrix weighted = slice.kept.matrix().asDiagonal() * design;
  Matrix normal = weighted.transpose() * design;
  normal.diagonal().array() += 1e-12 * normal.trace() / static_cast<double>(normal.rows()) + tiny;
  const Vector step =
      normal.ldlt().solve(weighted.transpose() * residual_of(slice, factors).matrix());
  if (step.allFinite()) slice.w += step;
}

void judge(HeldSlice& slice, const Factors& factors, double noise_width) {
  const Entries residual = residual_of(slice, factors);
  slice.sigma = inlier_sigma(magnitudes(slice, residual));
  const auto seen = static_cast<double>(slice.values.size() - slice.missing());
  slice.size = std::sqrt((slice.values - residual).square().sum() / std::max(seen, 1.0));
  const double limit = inlier_limit(slice, noise_width);
  slice.kept = (residual.abs() <= limit).cast<double>();
  if (slice.observed.size() > 0) slice.kept *= slice.observed;
}

double deviation_of_data(const HeldSlice& slice) {
  return inlier_sigma(magnitudes(slice, slice.values));
}

double inlier_limit(const HeldSlice& slice, double noise_width) {
  // The size of L, not of the data: one gross error must not widen the limit.
  return std::max(noise_width * slice.sigma, robust::rounding_level * slice.size);
}

}  // namespace sunder::streaming
