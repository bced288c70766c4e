#include "algorithms/robust_cp/consensus/window.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

PassResult count_pass(const Window& window, const Factors& factors, SliceDetail detail,
                      Monitor& monitor) {
  const CpModel model = as_model(factors);
  return pass_over(window.core,
                   {.model = &model,
                    .rule = Rule::hard_threshold(window.level),
                    .slice_statistics = detail,
                    .fit_tolerance = window.level},
                   monitor);
}

}  // namespace

Index Window::known() const {
  return core.complete() ? core.shape.entries() : static_cast<Index>(core.observed.sum());
}

Index Window::fitted(const Factors& factors, Monitor& monitor) const {
  return count_pass(*this, factors, SliceDetail::none, monitor).statistics.kept;
}

Residue Window::residue_of(const Factors& factors) const {
  const Entries left = residual(core, factors).abs();
  const Entries sizes = evaluate(magnitudes(factors));
  const double usual = std::sqrt(sizes.square().mean());
  std::vector<double> absolute;
  std::vector<double> in_rounding;
  for (Index i = 0; i < left.size(); ++i) {
    if (!core.is_observed(i) || !(left[i] < level)) continue;
    absolute.push_back(left[i]);
    in_rounding.push_back(left[i] / (rounding * (usual + sizes[i])));
  }
  if (absolute.empty()) return {};
  const double most = levels::residuals::most;
  return {quantile(absolute, most), quantile(in_rounding, most)};
}

std::vector<SliceStatistics> Window::fitted_in_slices(const Factors& factors,
                                                      Monitor& monitor) const {
  return count_pass(*this, factors, SliceDetail::counts, monitor).slices;
}

SparseMarks Window::sparse_of(const Factors& factors) const {
  const Entries R = residual(core, factors);
  SparseMarks marks{core.shape, std::vector<std::uint8_t>(R.size(), 0), {}};
  for (Index i = 0; i < R.size(); ++i) marks.sparse[i] = std::abs(R[i]) >= level ? 1 : 0;
  if (core.complete()) return marks;
  marks.known.resize(R.size());
  for (Index i = 0; i < R.size(); ++i) marks.known[i] = core.is_observed(i) ? 1 : 0;
  return marks;
}

void follow_leaders(const ModeConstraints& constraints, const Factors& signs, Factors& factors) {
  if (!constraints.shares()) return;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    const auto leader = static_cast<std::size_t>(constraints.leader(static_cast<int>(m)));
    if (leader == m) continue;
    factors[m] = factors[leader];
    for (Index k = 0; k < factors[m].cols(); ++k) {
      if (signs[m].col(k).dot(signs[leader].col(k)) < 0) factors[m].col(k) *= -1;
    }
  }
}

Factors joined(const Factors& a, const Factors& b) {
  Factors both;
  for (std::size_t m = 0; m < a.size(); ++m) {
    Matrix factor(a[m].rows(), a[m].cols() + b[m].cols());
    factor << a[m], b[m];
    both.push_back(std::move(factor));
  }
  return both;
}

Factors without_component(const Factors& factors, Index component) {
  Factors rest;
  for (const Matrix& factor : factors) {
    Matrix fewer(factor.rows(), factor.cols() - 1);
    fewer << factor.leftCols(component), factor.rightCols(factor.cols() - component - 1);
    rest.push_back(std::move(fewer));
  }
  return rest;
}

Factors live_components(const Factors& factors, double level) {
  std::vector<Index> live;
  for (Index k = 0; k < factors.front().cols(); ++k) {
    double largest = 1;
    for (const Matrix& factor : factors) largest *= factor.col(k).cwiseAbs().maxCoeff();
    if (largest >= level) live.push_back(k);
  }
  Factors result;
  for (const Matrix& factor : factors) result.emplace_back(factor(Eigen::all, live));
  if (!live.empty()) balance(result);
  return result;
}

Index unknowns_of_components(const Factors& factors) {
  Index count = 0;
  for (const Matrix& factor : factors) {
    for (Index k = 0; k < factor.cols(); ++k) {
      const double least = levels::zero_entry * factor.col(k).cwiseAbs().maxCoeff();
      count += (factor.col(k).array().abs() > least).count();
    }
  }
  return count - (std::ssize(factors) - 1) * factors.front().cols();
}

}  // namespace sunder::robust
