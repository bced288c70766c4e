#include "algorithms/robust_cp/core/algebra/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/core/algebra/normal_operator.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

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
  constexpr int steps = levels::gauss_newton::lanczos_steps;
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
    if (size + 1 == steps || length < levels::gauss_newton::lanczos_end * tridiagonal(0, 0)) {
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
