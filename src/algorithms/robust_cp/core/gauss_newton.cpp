#include "algorithms/robust_cp/core/gauss_newton.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "algorithms/robust_cp/core/algebra/normal_operator.hpp"
#include "core/grams.hpp"

namespace sunder::robust {

namespace {

/// Solves operator(x) = right_side.
Factors conjugate_gradients(const std::function<Factors(const Factors&)>& apply,
                            const std::function<Factors(const Factors&)>& precondition,
                            const Factors& right_side, int max_steps, double tolerance) {
  Factors solution;
  for (const Matrix& part : right_side) solution.push_back(Matrix::Zero(part.rows(), part.cols()));
  Factors remainder = right_side;
  Factors z = precondition(remainder);
  Factors direction = z;
  double rz = dot(remainder, z);
  const double first = rz;
  if (!(first > 0)) return solution;
  for (int k = 0; k < max_steps; ++k) {
    const Factors image = apply(direction);
    const double curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const double length = rz / curvature;
    add_scaled(solution, length, direction);
    add_scaled(remainder, -length, image);
    z = precondition(remainder);
    const double next = dot(remainder, z);
    if (next < tolerance * tolerance * first) break;
    for (std::size_t m = 0; m < z.size(); ++m) direction[m] = z[m] + next / rz * direction[m];
    rz = next;
  }
  return solution;
}

}  // namespace

Factors gauss_newton_step(const Factors& factors, const Factors& gradient,
                          const GaussNewtonOptions& options, const Factors* free) {
  const NormalOperator normal(factors, options.damping);
  const auto restricted = [&](Factors x) {
    for (std::size_t m = 0; free != nullptr && m < x.size(); ++m) {
      x[m].array() *= (*free)[m].array();
    }
    return x;
  };
  return conjugate_gradients([&](const Factors& x) { return restricted(normal.apply(x)); },
                             [&](const Factors& x) { return restricted(normal.precondition(x)); },
                             restricted(gradient), options.max_steps, options.tolerance);
}

namespace {

/// J'WJ as an operator. J x is a model itself, of d r components, in each of which one factor is
/// replaced by x; so W J x and its products are one fused pass over a tensor of zeros.
class WeightedNormal {
 public:
  WeightedNormal(const DenseCore& core, const Factors& factors, double threshold, Monitor& monitor)
      : core_(core),
        factors_(factors),
        monitor_(monitor),
        zero_(Entries::Zero(core.values.size())) {
    const Entries R = residual(core, factors);
    inlier_ = (R.abs() < threshold).cast<std::uint8_t>();
    if (!core.complete()) inlier_ *= core.observed.cast<std::uint8_t>();
  }

  Factors apply(const Factors& x) const {
    const auto order = std::ssize(factors_);
    const Index rank = factors_.front().cols();
    Factors wide;
    for (Index m = 0; m < order; ++m) {
      const Matrix& factor = factors_[m];
      Matrix columns = factor.replicate(1, order);
      columns.middleCols(m * rank, rank) = x[m];
      wide.push_back(std::move(columns));
    }
    const CpModel change(Vector::Constant(order * rank, -1), std::move(wide));  // 0 - (-J x)
    const TensorView mask = TensorView::of(inlier_.data(), core_.shape);
    monitor_.did(static_cast<double>(core_.shape.entries() * rank * (2 * order + 4)));
    return pass(TensorView::of(zero_.data(), core_.shape),
                {.model = &change,
                 .probe = &factors_,
                 .modes = all_modes(core_.shape.order()),
                 .mask = &mask},
                core_.threads)
        .mttkrp;
  }

 private:
  const DenseCore& core_;
  const Factors& factors_;
  Monitor& monitor_;
  Entries zero_;
  Eigen::Array<std::uint8_t, Eigen::Dynamic, 1> inlier_;
};

}  // namespace

Factors weighted_gauss_newton_step(const DenseCore& core, const Factors& factors, double threshold,
                                   const GaussNewtonOptions& options, Monitor& monitor) {
  const NormalOperator normal(factors, options.damping);
  const WeightedNormal weighted(core, factors, threshold, monitor);
  return conjugate_gradients(
      [&](const Factors& x) { return weighted.apply(x); },
      [&](const Factors& x) { return normal.precondition(x); },
      fused_pass(core, factors, Rule::hard_threshold(threshold), monitor).mttkrp, options.max_steps,
      options.tolerance);
}

Factors damped_step(const DenseCore& core, const Factors& factors, double damping,
                    const GaussNewtonOptions& options, Monitor& monitor) {
  constexpr double everything = 1e300;  // no residual is too large
  double largest = 0;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    largest = std::max(largest, gram_product_of_others(factors, m).diagonal().maxCoeff());
  }
  const NormalOperator normal(factors, damping);
  const WeightedNormal weighted(core, factors, everything, monitor);
  return conjugate_gradients(
      [&](const Factors& x) {
        Factors y = weighted.apply(x);
        for (std::size_t m = 0; m < y.size(); ++m) y[m] += damping * largest * x[m];
        return y;
      },
      [&](const Factors& x) { return normal.precondition(x); },
      fused_pass(core, factors, Rule::hard_threshold(everything), monitor).mttkrp,
      options.max_steps, options.tolerance);
}

}  // namespace sunder::robust
