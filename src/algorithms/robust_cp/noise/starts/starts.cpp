#include "algorithms/robust_cp/noise/starts/starts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/graduated/core_sample.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/levels/noise_starts.hpp"
#include "algorithms/robust_cp/noise/starts/descent.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::starts;

void complete_rank(int rank, Factors& factors) {
  for (Matrix& factor : factors) {
    if (factor.cols() != rank) {
      factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank));
    }
  }
}

/// A quantile of |C - L| that tells something about the fit. Without factors, L is zero.
double telling_residual(const CoreSample& sample, const Factors& factors, double q) {
  const Entries R = factors.empty() ? sample.values() : sample.residual(factors);
  return telling_quantile(R, sample.values() - R, q);
}

/// Adds the leading term of the residual R as a component. Residuals far beyond the scale count the
/// less the larger they are: clipped ones would leave the mean of errors of one sign.
void append_leading_term(const DenseCore& core, const Entries& R, double scale, Factors& factors,
                         Rng& rng, Monitor& monitor) {
  const Entries bounded = R / (1 + (R / scale).square());
  Factors leading = subspace_start(core.shape, bounded / core.observed_share(), 1, rng, monitor);
  balance(leading);
  if (factors.empty()) {
    factors = std::move(leading);
    return;
  }
  for (std::size_t m = 0; m < factors.size(); ++m) {
    const Index last = factors[m].cols();
    factors[m].conservativeResize(Eigen::NoChange, last + 1);
    factors[m].col(last) = leading[m].col(0);
  }
}

}  // namespace

Factors least_squares_start(const DenseCore& core, int rank, Rng& rng, Monitor& monitor) {
  Factors factors =
      subspace_start(core.shape, core.values / core.observed_share(), rank, rng, monitor);
  for (int round = 0; !core.complete() && round < limits::fill_rounds; ++round) {
    const Entries filled = core.values + (1 - core.observed) * evaluate(factors);
    factors = subspace_start(core.shape, filled, rank, rng, monitor);
  }
  complete_rank(rank, factors);
  balance(factors);
  return factors;
}

Factors descending_start(const DenseCore& core, Factors factors, Rng& rng, Monitor& monitor) {
  const CoreSample sample(core, informative(core), rng, limits::sample);
  double scale = 0;
  for (int step = 0; step < limits::graduated_steps; ++step) {
    const Entries R = sample.residual(factors);
    const double rms = std::sqrt(R.square().mean()) + tiny;
    const double floor = limits::narrowest * telling_quantile(R, sample.values() - R, low_quantile);
    scale = scale == 0 ? std::max(floor, limits::widest * rms)
                       : std::max(limits::scale_falls * scale, std::min(scale, floor));
    const double moved = descend(core, scale, limits::least_damping, factors, monitor);
    if (scale <= floor * 1.001 && moved < limits::settled) break;
  }
  return factors;
}

Factors with_leading_term(const DenseCore& core, Factors factors, double scale, Rng& rng,
                          Monitor& monitor) {
  const Entries R = residual(core, factors);
  append_leading_term(core, R, scale, factors, rng, monitor);
  return factors;
}

Factors respawned_start(const DenseCore& core, const Factors& factors, int rank, double scale,
                        Rng& rng, Monitor& monitor) {
  const Factors more = with_leading_term(core, factors, scale, rng, monitor);
  return graduated_start(core, rank, {.from = &more, .first_scale = scale}, rng, monitor);
}

Factors greedy_start(const DenseCore& core, int rank, Rng& rng, Monitor& monitor) {
  const CoreSample sample(core, informative(core), rng, limits::sample);
  Factors factors;
  for (int k = 0; k < rank; ++k) {
    const Entries R = factors.empty() ? core.values : residual(core, factors);
    const double scale =
        limits::greedy_width * deviation_over_mad * telling_residual(sample, factors, 0.5);
    append_leading_term(core, R, scale, factors, rng, monitor);
    for (int step = 0; step < limits::joint_steps; ++step) {
      const double now = deviation_over_mad * telling_residual(sample, factors, 0.5);
      descend(core, 2 * limits::greedy_width * now, limits::least_damping, factors, monitor);
    }
  }
  return factors;
}

}  // namespace sunder::robust
