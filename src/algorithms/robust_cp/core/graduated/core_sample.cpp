#include "algorithms/robust_cp/core/graduated/core_sample.hpp"

#include "algorithms/robust_cp/levels/core.hpp"

namespace sunder::robust {

namespace {

std::vector<Index> drawn(const std::vector<Index>& from, Index count, Rng& rng) {
  if (std::ssize(from) <= count * levels::graduated::sample_all_below / levels::graduated::sample) {
    return from;
  }
  std::vector<Index> chosen;
  for (Index k = 0; k < count; ++k) {
    chosen.push_back(from[rng.below(from.size())]);
  }
  return chosen;
}

}  // namespace

CoreSample::CoreSample(const DenseCore& core, const std::vector<Index>& from, Rng& rng,
                       Index count) {
  const std::vector<Index> chosen = drawn(from, count, rng);
  values_.resize(std::ssize(chosen));
  at_.resize(core.shape.order());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    values_[static_cast<Index>(k)] = core.values[chosen[k]];
    const ModeIndices index = core.shape.unravel(chosen[k]);
    for (std::size_t m = 0; m < at_.size(); ++m) at_[m].push_back(index[m]);
  }
}

Entries CoreSample::component(const Factors& factors, Index i) const {
  Entries product(values_.size());
  const double* first = factors[0].col(i).data();
  for (Index k = 0; k < product.size(); ++k) product[k] = first[at_[0][k]];
  for (std::size_t m = 1; m < at_.size(); ++m) {
    const double* column = factors[m].col(i).data();
    for (Index k = 0; k < product.size(); ++k) product[k] *= column[at_[m][k]];
  }
  return product;
}

Entries CoreSample::residual(const Factors& factors) const {
  // Rows together: an entry needs one row of each factor.
  const std::vector<RowMatrix> rows(factors.begin(), factors.end());
  const Index rank = factors.front().cols();
  Entries difference = values_;
  for (Index k = 0; k < difference.size(); ++k) {
    const double* first = rows[0].data() + at_[0][k] * rank;
    for (Index i = 0; i < rank; ++i) {
      double product = first[i];
      for (std::size_t m = 1; m < at_.size(); ++m) product *= rows[m].data()[at_[m][k] * rank + i];
      difference[k] -= product;
    }
  }
  return difference;
}

double robust_cost(const Entries& R, double c) {
  const Entries u = (R / c).square();
  return (u / (1 + u)).mean();
}

Eigen::ArrayXd leave_one_out(const CoreSample& sample, const Factors& factors, const Entries& R,
                             double c) {
  const double base = robust_cost(R, c);
  Eigen::ArrayXd loss(factors.front().cols());
  for (Index i = 0; i < loss.size(); ++i) {
    loss[i] = robust_cost(R + sample.component(factors, i), c) - base;
  }
  return loss;
}

}  // namespace sunder::robust
