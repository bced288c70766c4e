// Notation:
//   X  the tensor, X_m its unfolding    A_m  factors    K_m  Khatri-Rao product of the others
//   normal = K_m' K_m, the product of their Grams       right_side = X_m K_m
#include "algorithms/robust_cp/core/graduated/small_als.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/grams.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

/// The modes of X, and the factors that are fitted to them in turn.
class SmallAls {
 public:
  SmallAls(const Shape& shape, const Entries& entries, const ModeConstraints& constraints)
      : constraints_(constraints), square_(entries.square().sum() + tiny) {
    for (int mode = 0; mode < shape.order(); ++mode) {
      unfoldings_.push_back(unfold(shape, entries, mode));
    }
  }

  Factors random_start(int rank, Rng& rng) const {
    Factors factors;
    for (std::size_t m = 0; m < unfoldings_.size(); ++m) {
      factors.emplace_back(
          Matrix::NullaryExpr(unfoldings_[m].rows(), rank, [&] { return rng.normal(); }));
      if (constraints_.nonnegative(static_cast<int>(m))) {
        factors.back() = factors.back().cwiseAbs();
      }
    }
    return factors;
  }

  /// Fits every factor in turn; returns ||X - L||^2, which the last one knows.
  double sweep(Factors& factors) const {
    double cost = square_;
    for (std::size_t m = 0; m < factors.size(); ++m) {
      Matrix normal = gram_product_of_others(factors, m);
      normal.diagonal().array() +=
          levels::start::als_ridge * normal.trace() / static_cast<double>(normal.rows()) + tiny;
      const int mode = static_cast<int>(m);
      const Matrix right_side = unfoldings_[m] * khatri_rao_of_others(factors, mode);
      factors[m] = constraints_.nonnegative(mode)
                       ? nonnegative_rows(normal, right_side)
                       : Matrix(normal.ldlt().solve(right_side.transpose()).transpose());
      if (m + 1 == factors.size()) {
        cost += -2 * right_side.cwiseProduct(factors[m]).sum() +
                normal.cwiseProduct(gram_of(factors[m])).sum();
      }
    }
    balance(factors);
    return cost;
  }

  /// ||X||^2.
  double square() const { return square_; }

 private:
  const ModeConstraints& constraints_;
  double square_;
  std::vector<RowMatrix> unfoldings_;
};

}  // namespace

AlsFit small_als(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                 const SmallAlsOptions& options, const Factors* start,
                 const ModeConstraints& constraints) {
  const SmallAls als(shape, entries, constraints);
  AlsFit fit;
  fit.factors = start != nullptr ? *start : als.random_start(rank, rng);
  double before = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    const double cost = als.sweep(fit.factors);
    fit.relative_cost = cost / als.square();
    if (std::abs(before - cost) < options.tolerance * als.square()) break;
    before = cost;
  }
  return fit;
}

}  // namespace sunder::robust
