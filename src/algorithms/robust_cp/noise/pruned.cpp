#include "algorithms/robust_cp/noise/pruned.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/consensus/window.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"

namespace sunder::robust {

namespace {

/// Of the sum of squares: components that can replace each other leave a matrix without inverse.
constexpr double nearly_none = 1e-12;

/// The component whose absence costs the least nats on the inliers, after the sizes of the others
/// have adapted. A component may be large where nothing is known.
Index least_for_inliers(const DenseCore& core, const NoisyFit& fit, Monitor& monitor) {
  EntryWeights weights;
  likelihood_sums(core, fit.factors, fit.noise, monitor, &weights);
  const Entries roots = weights.curvature.sqrt();
  const Index rank = fit.factors.front().cols();
  Matrix components(core.shape.entries(), rank);
  for (Index k = 0; k < rank; ++k) {
    Factors one;
    for (const Matrix& factor : fit.factors) one.emplace_back(factor.col(k));
    components.col(k) = (roots * evaluate(one)).matrix();
  }
  const Matrix products = components.transpose() * components;
  const Matrix inverse =
      (products + nearly_none * products.trace() * Matrix::Identity(rank, rank)).inverse();
  Index least = 0;
  inverse.diagonal().maxCoeff(&least);
  return least;
}

/// The component whose absence costs the least nats if entries may become errors, as those of a
/// pattern do that lies on a few rows.
Index least_for_likelihood(const DenseCore& core, const NoisyFit& fit, Monitor& monitor) {
  Vector nats(fit.factors.front().cols());
  for (Index k = 0; k < nats.size(); ++k) {
    nats[k] = likelihood_sums(core, without_component(fit.factors, k), fit.noise, monitor)
                  .nats_per_entry();
  }
  Index least = 0;
  nats.minCoeff(&least);
  return least;
}

}  // namespace

void separate_components(Factors& factors) {
  if (factors.size() != 2) return;
  const Eigen::HouseholderQR<Matrix> left(factors[0]);
  const Eigen::HouseholderQR<Matrix> right(factors[1]);
  const Index rank = factors[0].cols();
  if (rank > std::min(factors[0].rows(), factors[1].rows())) return;
  const auto basis = [rank](const Eigen::HouseholderQR<Matrix>& qr) -> Matrix {
    return qr.householderQ() * Matrix::Identity(qr.rows(), rank);
  };
  const auto triangle = [rank](const Eigen::HouseholderQR<Matrix>& qr) -> Matrix {
    return qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  };
  const Eigen::JacobiSVD<Matrix> svd(triangle(left) * triangle(right).transpose(),
                                     Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector roots = svd.singularValues().cwiseSqrt();
  factors[0] = basis(left) * svd.matrixU() * roots.asDiagonal();
  factors[1] = basis(right) * svd.matrixV() * roots.asDiagonal();
}

std::vector<Index> dispensable_components(const DenseCore& core, const NoisyFit& fit,
                                          Monitor& monitor) {
  const Index first = least_for_inliers(core, fit, monitor);
  const Index second = least_for_likelihood(core, fit, monitor);
  return first == second ? std::vector<Index>{first} : std::vector<Index>{first, second};
}

void prune(const DenseCore& core, NoisyFit& fit, Monitor& monitor) {
  const Index rank = fit.factors.front().cols();
  const double entries =
      core.complete() ? static_cast<double>(core.shape.entries()) : core.observed.sum();
  double unknowns = 1.0 - core.shape.order();
  for (const Index extent : core.shape) unknowns += static_cast<double>(extent);
  const double price = 0.5 * unknowns * std::log(std::max(entries, 2.0)) / entries;
  while (fit.factors.front().cols() > 1) {
    separate_components(fit.factors);
    NoisyFit fewer;
    fewer.nats = std::numeric_limits<double>::infinity();
    for (const Index k : dispensable_components(core, fit, monitor)) {
      NoisyFit other = refine(core, without_component(fit.factors, k), fit.noise,
                              {.steps = levels::noise::final_steps,
                               .hopeless = fit.nats + price + levels::noise::hopeless},
                              monitor);
      if (other.nats < fewer.nats) fewer = std::move(other);
    }
    if (!(fewer.nats < fit.nats + price)) break;
    fit = std::move(fewer);
  }
  for (Matrix& factor : fit.factors) {
    factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
  }
}

}  // namespace sunder::robust
