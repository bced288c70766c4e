// Notation:
//   X  the tensor, X_m its unfolding    A_m  factors    K_m  Khatri-Rao product of the others
//   normal = K_m' K_m, the product of their Grams       right_side = X_m K_m
// A tensor of order 3 is read twice in a sweep instead of three times: its products with the last
// factor serve the first two modes, and no unfolding is copied.
#include "algorithms/robust_cp/core/graduated/small_als.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "algorithms/cp/nonnegative_least_squares.hpp"
#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/grams.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

/// The modes of X, and the factors that are fitted to them in turn.
class SmallAls {
 public:
  SmallAls(const Shape& shape, const Entries& entries, const ModeConstraints& constraints)
      : shape_(shape),
        entries_(entries),
        constraints_(constraints),
        square_(entries.square().sum() + tiny) {
    if (shape.order() == 3) return;
    for (int mode = 0; mode < shape.order(); ++mode) {
      unfoldings_.push_back(unfold(shape, entries, mode));
    }
  }

  Factors random_start(int rank, Rng& rng) const {
    Factors factors;
    for (int m = 0; m < shape_.order(); ++m) {
      factors.emplace_back(Matrix::NullaryExpr(shape_[m], rank, [&] { return rng.normal(); }));
      if (constraints_.nonnegative(m)) {
        factors.back() = factors.back().cwiseAbs();
      }
    }
    return factors;
  }

  /// Fits every factor in turn; returns ||X - L||^2, which the last one knows.
  double sweep(Factors& factors) {
    double cost = square_;
    for (std::size_t m = 0; m < factors.size(); ++m) {
      Matrix normal = gram_product_of_others(factors, m);
      normal.diagonal().array() +=
          levels::start::als_ridge * normal.trace() / static_cast<double>(normal.rows()) + tiny;
      const int mode = static_cast<int>(m);
      const Matrix right_side = right_side_of(factors, mode);
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
  Matrix right_side_of(const Factors& factors, int mode) {
    if (shape_.order() != 3) {
      return product_of(unfoldings_[mode], khatri_rao_of_others(factors, mode));
    }
    const Eigen::Map<const RowMatrix> pairs(entries_.data(), shape_[0] * shape_[1], shape_[2]);
    if (mode == 2) return product_of(pairs.transpose(), khatri_rao_of_others(factors, mode));
    // The modes are fitted in their order, so that the last factor is still the same for mode 1.
    if (mode == 0) with_last_ = product_of<RowMatrix>(pairs, factors[2]);
    const Matrix& other = factors[1 - mode];
    RowMatrix sums = RowMatrix::Zero(shape_[mode], other.cols());
    const RowMatrix rows = other;
    for (Index i = 0; i < shape_[0]; ++i) {
      for (Index j = 0; j < shape_[1]; ++j) {
        const auto product = with_last_.row(i * shape_[1] + j).array();
        if (mode == 0) {
          sums.row(i).array() += product * rows.row(j).array();
        } else {
          sums.row(j).array() += product * rows.row(i).array();
        }
      }
    }
    return sums;
  }

  const Shape& shape_;
  const Entries& entries_;
  const ModeConstraints& constraints_;
  double square_;
  std::vector<RowMatrix> unfoldings_;  ///< empty for a tensor of order 3
  RowMatrix with_last_;  ///< products with the last factor, a row for each pair of the others
};

}  // namespace

AlsFit small_als(const Shape& shape, const Entries& entries, int rank, Rng& rng,
                 const SmallAlsOptions& options, const Factors* start,
                 const ModeConstraints& constraints) {
  SmallAls als(shape, entries, constraints);
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
