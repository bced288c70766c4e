#include "algorithms/robust_cp/noise/pruned.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/noise.hpp"

namespace sunder::robust {

namespace {

/// The least loss of squares that leaving a component out can cause, after the others have adapted:
/// what its factor in one mode has beyond those of the others.
Index least_component(const Factors& factors) {
  Matrix cosines = Matrix::Ones(factors.front().cols(), factors.front().cols());
  for (const Matrix& factor : factors) cosines.array() *= (factor.transpose() * factor).array();
  const Index rank = cosines.rows();
  const Matrix inverse =
      (cosines + 1e-12 * cosines.trace() * Matrix::Identity(rank, rank)).inverse();
  Index least = 0;
  inverse.diagonal().maxCoeff(&least);
  return least;
}

Factors without(const Factors& factors, Index component) {
  std::vector<Index> kept;
  for (Index k = 0; k < factors.front().cols(); ++k) {
    if (k != component) kept.push_back(k);
  }
  Factors fewer;
  for (const Matrix& factor : factors) fewer.emplace_back(factor(Eigen::all, kept));
  return fewer;
}

}  // namespace

void prune(const DenseCore& core, NoisyFit& fit, Monitor& monitor) {
  const Index rank = fit.factors.front().cols();
  const double entries =
      core.complete() ? static_cast<double>(core.shape.entries()) : core.observed.sum();
  double unknowns = 1.0 - core.shape.order();
  for (const Index extent : core.shape) unknowns += static_cast<double>(extent);
  const double price = 0.5 * unknowns * std::log(std::max(entries, 2.0)) / entries;
  while (fit.factors.front().cols() > 1) {
    NoisyFit fewer = refine(core, without(fit.factors, least_component(fit.factors)), fit.noise,
                            {.steps = levels::noise::final_steps,
                             .hopeless = fit.nats + price + levels::noise::hopeless},
                            monitor);
    if (!(fewer.nats < fit.nats + price)) break;
    fit = std::move(fewer);
  }
  for (Matrix& factor : fit.factors) {
    factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
  }
}

}  // namespace sunder::robust
