#include "algorithms/robust_cp/core/dense_core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::robust {

namespace {

constexpr double tiny = 1e-300;  // keeps quotients of exact zeros finite

CpModel as_model(const Factors& factors) { return {Vector::Ones(factors.front().cols()), factors}; }

}  // namespace

double power_of_two_near(double x) {
  return x > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(x), -1000, 1000)) : 1;
}

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

PassResult fused_pass(const DenseCore& core, const Factors& factors, const Rule& rule,
                      Monitor& monitor, Products products) {
  const CpModel model = as_model(factors);
  PassRequest request{.model = &model, .rule = rule};
  if (products == Products::all) request.modes = all_modes(core.shape.order());
  monitor.did((products == Products::all ? 6.0 : 2.0) *
              static_cast<double>(core.shape.entries() * factors.front().cols()));
  const TensorView values = TensorView::of(core.values.data(), core.shape);
  if (core.complete()) return pass(values, request, core.threads);
  const Eigen::Array<std::uint8_t, Eigen::Dynamic, 1> observed = core.observed.cast<std::uint8_t>();
  const TensorView mask = TensorView::of(observed.data(), core.shape);
  request.mask = &mask;
  return pass(values, request, core.threads);
}

Matrix khatri_rao_of_others(const Factors& factors, int skip) {
  Matrix product = Matrix::Ones(1, factors.front().cols());
  for (int mode = 0; mode < static_cast<int>(factors.size()); ++mode) {
    if (mode != skip) product = khatri_rao(product, factors[static_cast<std::size_t>(mode)]);
  }
  return product;
}

Entries evaluate(const Factors& factors) {
  const int last = static_cast<int>(factors.size()) - 1;
  const Matrix rows = khatri_rao_of_others(factors, last);
  const Matrix& columns = factors.back();
  Entries entries(rows.rows() * columns.rows());
  Eigen::Map<RowMatrix>(entries.data(), rows.rows(), columns.rows()).noalias() =
      rows * columns.transpose();
  return entries;
}

Entries residual(const DenseCore& core, const Factors& factors) {
  Entries difference = core.values - evaluate(factors);
  if (!core.complete()) difference *= core.observed;
  return difference;
}

RowMatrix unfold(const Shape& shape, const Entries& entries, int mode) {
  Index left = 1;
  for (int m = 0; m < mode; ++m) left *= shape[m];
  const Index rows = shape[mode];
  const Index right = shape.entries() / (left * rows);
  RowMatrix result(rows, left * right);
  for (Index l = 0; l < left; ++l) {
    for (Index i = 0; i < rows; ++i) {
      result.row(i).segment(l * right, right) =
          entries.segment((l * rows + i) * right, right).matrix().transpose();
    }
  }
  return result;
}

double quantile(std::vector<double>& values, double q) {
  if (values.empty()) return 0;
  const auto at =
      std::min(static_cast<std::size_t>(q * static_cast<double>(values.size())), values.size() - 1);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<Index> informative(const DenseCore& core) {
  std::vector<Index> observed;
  std::vector<Index> non_zero;
  for (Index i = 0; i < core.values.size(); ++i) {
    if (!core.is_observed(i)) continue;
    observed.push_back(i);
    if (core.values[i] != 0) non_zero.push_back(i);
  }
  const bool zeros_are_common =
      static_cast<double>(non_zero.size()) < 0.9 * static_cast<double>(observed.size());
  return zeros_are_common && !non_zero.empty() ? non_zero : observed;
}

std::vector<Index> thinned(std::vector<Index> entries) {
  constexpr std::size_t enough = 20000;
  // An odd step meets every index of an even mode.
  const std::size_t step = entries.size() / enough | 1;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); k += step) entries[kept++] = entries[k];
  entries.resize(kept);
  return entries;
}

double spread(const DenseCore& core, const std::vector<Index>& informative) {
  std::vector<double> values;
  values.reserve(informative.size());
  for (const Index i : informative) values.push_back(core.values[i]);
  const double median = quantile(values, 0.5);
  for (double& x : values) x = std::abs(x - median);
  const double deviation = 1.4826 * quantile(values, 0.5);
  // Most entries are equal: their own size is the scale.
  return (deviation > 1e-12 * std::abs(median) ? deviation : std::abs(median)) + tiny;
}

double inlier_sigma(std::vector<double> magnitudes) {
  double sigma = quantile(magnitudes, 0.25) / 0.55 + tiny;
  for (int round = 0; round < 10; ++round) {
    double sum = 0;
    std::size_t count = 0;
    for (const double x : magnitudes) {
      if (x >= 3 * sigma) continue;
      sum += x * x;
      ++count;
    }
    if (count == 0) break;
    sigma = 1.02 * std::sqrt(sum / static_cast<double>(count)) + tiny;
  }
  return sigma;
}

}  // namespace sunder::robust
