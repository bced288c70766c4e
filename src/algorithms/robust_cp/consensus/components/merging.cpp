#include "algorithms/robust_cp/consensus/components/merging.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/search.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::merging;

Factors at_components(const Factors& factors, const std::vector<Index>& components) {
  Factors part;
  for (const Matrix& factor : factors) part.emplace_back(factor(Eigen::all, components));
  return part;
}

/// The components with vectors parallel to that of component `first`, in one mode.
std::vector<Index> parallel_to(const Matrix& factor, Index first, const std::vector<bool>& taken) {
  std::vector<Index> group;
  const Vector unit = factor.col(first).normalized();
  for (Index k = first; k < factor.cols(); ++k) {
    if (taken[k]) continue;
    const double across = (factor.col(k) - unit * unit.dot(factor.col(k))).norm();
    if (across <= limits::parallel * factor.col(k).norm()) group.push_back(k);
  }
  return group;
}

/// A B' with as many columns as its rank.
void reduce_matrix(Matrix& a, Matrix& b) {
  const Eigen::HouseholderQR<Matrix> left(a);
  const Eigen::HouseholderQR<Matrix> right(b);
  const Index k = a.cols();
  if (a.rows() < k || b.rows() < k) return;
  const Matrix q_left = left.householderQ() * Matrix::Identity(a.rows(), k);
  const Matrix q_right = right.householderQ() * Matrix::Identity(b.rows(), k);
  const Matrix r_left = q_left.transpose() * a;
  const Matrix r_right = q_right.transpose() * b;
  const Svd svd = thin_svd(r_left * r_right.transpose());
  const Index rank =
      std::max<Index>(1, (svd.values.array() > limits::zero * svd.values[0]).count());
  if (rank == k) return;
  const Vector root = svd.values.head(rank).cwiseSqrt();
  a = q_left * svd.u.leftCols(rank) * root.asDiagonal();
  b = q_right * svd.v.leftCols(rank) * root.asDiagonal();
}

/// Reduces the components over the modes that are left; in the others they are all equal.
Factors reduced(Factors factors, std::vector<std::size_t> modes);

/// The components of a group that is parallel in a mode, fewer if possible.
Factors reduced_group(Factors group, std::size_t mode, std::vector<std::size_t> modes) {
  std::erase(modes, mode);
  const Vector unit = group[mode].col(0).normalized();
  for (Index k = 0; k < group[mode].cols(); ++k) {
    group[modes.front()].col(k) *= unit.dot(group[mode].col(k));
    group[mode].col(k) = unit;
  }
  return reduced(std::move(group), std::move(modes));
}

Factors reduced(Factors factors, std::vector<std::size_t> modes) {
  if (factors.front().cols() < 2) return factors;
  if (modes.size() == 1) {
    const Vector sum = factors[modes.front()].rowwise().sum();
    for (Matrix& factor : factors) factor = factor.leftCols(1).eval();
    factors[modes.front()] = sum;
    return factors;
  }
  if (modes.size() == 2) {
    reduce_matrix(factors[modes[0]], factors[modes[1]]);
    const Index rank = factors[modes[0]].cols();
    for (Matrix& factor : factors) factor = factor.leftCols(rank).eval();
    return factors;
  }
  for (const std::size_t mode : modes) {
    if (factors.front().cols() < 2) break;
    std::vector<bool> taken(factors.front().cols(), false);
    Factors all;
    for (Index k = 0; k < factors.front().cols(); ++k) {
      if (taken[k]) continue;
      const std::vector<Index> group = parallel_to(factors[mode], k, taken);
      for (const Index member : group) taken[member] = true;
      Factors part = at_components(factors, group.empty() ? std::vector<Index>{k} : group);
      if (group.size() > 1) part = reduced_group(std::move(part), mode, modes);
      if (all.empty()) {
        all = std::move(part);
        continue;
      }
      for (std::size_t m = 0; m < all.size(); ++m) {
        Matrix joined(all[m].rows(), all[m].cols() + part[m].cols());
        joined << all[m], part[m];
        all[m] = std::move(joined);
      }
    }
    factors = std::move(all);
  }
  return factors;
}

}  // namespace

Factors with_parallel_merged(const Factors& factors) {
  std::vector<std::size_t> modes;
  for (std::size_t m = 0; m < factors.size(); ++m) modes.push_back(m);
  return reduced(factors, std::move(modes));
}

}  // namespace sunder::robust
