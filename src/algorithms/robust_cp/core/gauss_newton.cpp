#include "algorithms/robust_cp/core/gauss_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/dense.hpp"

namespace sunder::robust {

namespace {

double dot(const Factors& a, const Factors& b) {
  double sum = 0;
  for (std::size_t m = 0; m < a.size(); ++m) sum += a[m].cwiseProduct(b[m]).sum();
  return sum;
}

/// y += scale x
void add_scaled(Factors& y, double scale, const Factors& x) {
  for (std::size_t m = 0; m < y.size(); ++m) y[m] += scale * x[m];
}

/// J'J + mu I as an operator on factor-shaped unknowns.
class NormalOperator {
 public:
  NormalOperator(const Factors& factors, double damping) : factors_(factors) {
    const std::size_t order = factors.size();
    const Index rank = factors.front().cols();
    double size = 0;
    for (const Matrix& factor : factors) {
      grams_.emplace_back(factor.transpose() * factor);
      size += grams_.back().trace() / static_cast<double>(rank * static_cast<Index>(order));
    }
    mu_ = damping * std::pow(size, static_cast<double>(order - 1));
    for (std::size_t m = 0; m < order; ++m) {
      for (std::size_t q = 0; q < order; ++q) pair_.push_back(product_of_grams(m, q));
      block_.push_back(pair_[m * order + m]);
      const double shift = mu_ + 1e-12 * block_[m].trace() / static_cast<double>(rank) + 1e-150;
      inverse_.emplace_back((block_[m] + shift * Matrix::Identity(rank, rank)).inverse());
    }
  }

  Factors apply(const Factors& x) const {
    const std::size_t order = factors_.size();
    std::vector<Matrix> cross(order);
    for (std::size_t q = 0; q < order; ++q) cross[q] = x[q].transpose() * factors_[q];
    Factors y(order);
    for (std::size_t m = 0; m < order; ++m) {
      Matrix coupling = Matrix::Zero(block_[m].rows(), block_[m].cols());
      for (std::size_t q = 0; q < order; ++q) {
        if (q != m) coupling += cross[q].cwiseProduct(pair_[m * order + q]);
      }
      y[m] = x[m] * block_[m] + mu_ * x[m] + factors_[m] * coupling;
    }
    return y;
  }

  Factors precondition(const Factors& x) const {
    Factors y(x.size());
    for (std::size_t m = 0; m < x.size(); ++m) y[m] = x[m] * inverse_[m];
    return y;
  }

 private:
  Matrix product_of_grams(std::size_t skip, std::size_t skip_too) const {
    Matrix product = Matrix::Ones(grams_.front().rows(), grams_.front().cols());
    for (std::size_t q = 0; q < grams_.size(); ++q) {
      if (q != skip && q != skip_too) product.array() *= grams_[q].array();
    }
    return product;
  }

  const Factors& factors_;
  std::vector<Matrix> grams_;
  std::vector<Matrix> pair_;  ///< product of the Grams of all modes but two
  std::vector<Matrix> block_;
  std::vector<Matrix> inverse_;
  double mu_ = 0;
};

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
    const auto order = static_cast<Index>(factors_.size());
    const Index rank = factors_.front().cols();
    Factors wide;
    for (Index m = 0; m < order; ++m) {
      const Matrix& factor = factors_[static_cast<std::size_t>(m)];
      Matrix columns = factor.replicate(1, order);
      columns.middleCols(m * rank, rank) = x[static_cast<std::size_t>(m)];
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

namespace {

Factors without_zero_components(const Factors& factors) {
  std::vector<Index> alive;
  for (Index i = 0; i < factors.front().cols(); ++i) {
    const bool zero = std::any_of(factors.begin(), factors.end(), [&](const Matrix& factor) {
      return factor.col(i).cwiseAbs().maxCoeff() == 0;
    });
    if (!zero) alive.push_back(i);
  }
  Factors result;
  for (const Matrix& factor : factors) result.emplace_back(factor(Eigen::all, alive));
  return result;
}

double singular_value_ratio(const Factors& factors) {
  const Index rank = factors[0].cols();
  const Vector values = jacobi_svd(qr_triangle(factors[0]) * qr_triangle(factors[1]).transpose(),
                                   SingularVectors::none)
                            .values;
  const bool short_of_rank = values.size() < rank;
  return short_of_rank || !(values[0] > 0) ? 0 : values[values.size() - 1] / values[0];
}

/// Takes out of x what only moves scale between the modes of a component.
void remove_exchange_of_scale(const Factors& unit, Factors& x) {
  const auto order = static_cast<double>(unit.size());
  for (Index i = 0; i < unit.front().cols(); ++i) {
    std::vector<double> along;
    double mean = 0;
    for (std::size_t m = 0; m < unit.size(); ++m) {
      along.push_back(unit[m].col(i).dot(x[m].col(i)));
      mean += along.back() / order;
    }
    for (std::size_t m = 0; m < unit.size(); ++m) x[m].col(i) -= (along[m] - mean) * unit[m].col(i);
  }
}

void scale(Factors& x, double factor) {
  for (Matrix& part : x) part *= factor;
}

}  // namespace

double smallest_curvature(const Factors& factors, Rng& rng) {
  Factors unit = without_zero_components(factors);
  if (unit.front().cols() == 0) return 1;
  if (unit.size() == 2) return singular_value_ratio(unit);
  for (Matrix& factor : unit) factor.colwise().normalize();
  // Lanczos; its smallest Ritz value is an upper bound that comes close for isolated small ones.
  constexpr int steps = 60;
  const NormalOperator normal(unit, 0);
  std::vector<Factors> basis;
  Matrix tridiagonal = Matrix::Zero(steps, steps);
  Factors q;
  for (const Matrix& factor : unit) {
    q.emplace_back(Matrix::NullaryExpr(factor.rows(), factor.cols(), [&] { return rng.normal(); }));
  }
  remove_exchange_of_scale(unit, q);
  scale(q, 1 / std::sqrt(dot(q, q)));
  int size = 0;
  for (; size < steps; ++size) {
    basis.push_back(q);
    Factors next = normal.apply(q);
    remove_exchange_of_scale(unit, next);
    tridiagonal(size, size) = dot(next, q);
    for (const Factors& earlier : basis) add_scaled(next, -dot(next, earlier), earlier);
    const double length = std::sqrt(dot(next, next));
    if (size + 1 == steps || length < 1e-12 * tridiagonal(0, 0)) {
      ++size;
      break;
    }
    tridiagonal(size, size + 1) = tridiagonal(size + 1, size) = length;
    scale(next, 1 / length);
    q = std::move(next);
  }
  const Vector values = symmetric_eigenvalues(tridiagonal.topLeftCorner(size, size));
  return std::max(values[0], 0.0) / values[size - 1];
}

}  // namespace sunder::robust
