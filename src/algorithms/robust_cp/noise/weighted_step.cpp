#include "algorithms/robust_cp/noise/weighted_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/algebra/normal_operator.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

void hold(const Factors* free, Factors& x) {
  for (std::size_t m = 0; free != nullptr && m < x.size(); ++m) x[m].array() *= (*free)[m].array();
}

/// J x at every entry.
Entries tangent(const Factors& factors, const Factors& x) {
  const auto order = std::ssize(factors);
  const Index rank = factors.front().cols();
  Factors wide;
  for (Index m = 0; m < order; ++m) {
    wide.emplace_back(factors[m].replicate(1, order));
    wide.back().middleCols(m * rank, rank) = x[m];
  }
  return evaluate(wide);
}

}  // namespace

Factors products(const DenseCore& core, const Entries& values, const Factors& factors) {
  const CpModel nothing = CpModel::zero(core.shape);
  return pass(TensorView::of(values.data(), core.shape),
              {.model = &nothing,
               .probe = &factors,
               .modes = all_modes(core.shape.order()),
               .sums = false},
              core.threads)
      .mttkrp;
}

double information_share(const std::vector<SliceSums>& slices) {
  const double weight = slices.front().weight.sum() + tiny;
  return std::max(slices.front().score.sum() / weight, limits::least_information);
}

SeparableWeights fisher_information(const std::vector<SliceSums>& slices) {
  const double score = slices.front().score.sum();
  const double weight = slices.front().weight.sum();
  const double total = std::max(score, limits::least_information * weight) + tiny;
  double entries = 1;
  SeparableWeights separable;
  for (const SliceSums& mode : slices) {
    const auto extent = static_cast<double>(mode.score.size());
    entries *= extent;
    Vector weights =
        extent *
        (mode.score / total).cwiseMax(limits::least_information * mode.weight / (weight + tiny));
    weights = weights.cwiseMax(limits::least_slice_information * weights.maxCoeff() + tiny);
    separable.push_back(std::move(weights));
  }
  separable.front() *= total / entries;
  return separable;
}

Factors separable_step(const Factors& factors, const Factors& gradient,
                       const SeparableWeights& weights, double damping, const Factors* free) {
  // Columns of equal length keep the damping fair between modes.
  Factors scaled = factors;
  Factors right_side = gradient;
  std::vector<Eigen::ArrayXd> roots;
  double size = 1;
  for (const Vector& w : weights) size *= w.mean();
  const double unit = std::pow(size, 1.0 / static_cast<double>(weights.size()));
  for (std::size_t m = 0; m < factors.size(); ++m) {
    roots.emplace_back((weights[m].array() / weights[m].mean() * unit).sqrt());
    scaled[m].array().colwise() *= roots[m];
    right_side[m].array().colwise() /= roots[m];
  }
  Factors delta = gauss_newton_step(scaled, right_side,
                                    {.damping = damping, .max_steps = 30, .tolerance = 1e-2}, free);
  for (std::size_t m = 0; m < delta.size(); ++m) delta[m].array().colwise() /= roots[m];
  return delta;
}

Factors weighted_step(const DenseCore& core, const Factors& factors, const Factors& gradient,
                      const Entries& weights, const SeparableWeights& separable, double damping,
                      const Factors* free, Monitor& monitor) {
  const auto precondition = [&](const Factors& x) {
    return separable_step(factors, x, separable, damping, free);
  };
  Factors remainder = gradient;
  hold(free, remainder);
  Factors z = precondition(remainder);
  Factors direction = z;
  double rz = dot(remainder, z);
  const double first = rz;
  Factors solution;
  for (const Matrix& g : gradient) solution.push_back(Matrix::Zero(g.rows(), g.cols()));
  for (int k = 0; k < limits::exact_steps; ++k) {
    const Entries image = weights * tangent(factors, direction);
    Factors applied = products(core, image, factors);
    hold(free, applied);
    monitor.did(levels::flops_of_products *
                static_cast<double>(core.shape.entries() * factors.front().cols()));
    const double curvature = dot(direction, applied);
    if (!(curvature > 0)) break;
    const double length = rz / curvature;
    add_scaled(solution, length, direction);
    const Factors before = remainder;
    add_scaled(remainder, -length, applied);
    z = precondition(remainder);
    const double next = dot(remainder, z);
    if (!(next > 1e-3 * first)) break;
    // The preconditioner is itself solved by iteration: Polak and Ribiere's form allows for that.
    const double again = std::max(0.0, (next - dot(before, z)) / rz);
    for (std::size_t m = 0; m < z.size(); ++m) direction[m] = z[m] + again * direction[m];
    rz = next;
  }
  return solution;
}

}  // namespace sunder::robust
