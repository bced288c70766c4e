#include "algorithms/robust_cp/inference/verdict/halves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/inference/component_tests.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/noise/tournament.hpp"
#include "core/statistics.hpp"
#include "sunder/core/matching.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

struct Half {
  DenseCore part;
  NoisyFit fit;
  double cold = 0;  ///< least cosine between the cold start and the fit of all
};

DenseCore masked(const DenseCore& part, const Entries& belongs) {
  DenseCore half = part;
  half.observed = part.complete() ? belongs : Entries(part.observed * belongs);
  half.values *= half.observed;
  return half;
}

/// A failed cold start is no evidence, and a better one is.
Half fitted(const DenseCore& part, const Entries& belongs, const NoisyFit& all,
            const ModeConstraints& constraints, Rng& rng, Monitor& monitor) {
  Half half{masked(part, belongs), {}, 0};
  const auto rank = static_cast<int>(all.factors.front().cols());
  const RefineOptions options{.steps = limits::half_steps, .constraints = constraints};
  half.fit = refine(half.part, all.factors, all.noise, options, monitor);
  TournamentResult held = hold_tournament(half.part, rank, rng, monitor);
  if (held.contenders.empty()) return half;
  NoisyFit cold = std::move(held.contenders.front().fit);
  if (constraints.any()) {
    constrain(half.part, constraints, cold.noise.sigma(), cold.factors, monitor);
    cold = refine(half.part, cold.factors, cold.noise, options, monitor);
  }
  half.cold = least_match(cold.factors, all.factors);
  if (cold.nats < half.fit.nats) half.fit = std::move(cold);
  return half;
}

/// The columns of a fit in the order and with the signs of another model.
std::vector<Matrix> aligned(const Factors& factors, const CpModel& model) {
  CpModel own = as_model(factors);
  own.normalise();
  const ComponentMatch match = match_components(model, own);
  std::vector<Matrix> columns = model.factors();
  for (int m = 0; m < model.order(); ++m) {
    for (int k = 0; k < model.rank(); ++k) {
      if (match.partner[k] < 0) continue;
      const Vector column = own.factor(m).col(match.partner[k]);
      columns[m].col(k) = column.dot(model.factor(m).col(k)) < 0 ? Vector(-column) : column;
    }
  }
  return columns;
}

/// Mean over the rows of a component of (u1 - u2)^2 / (4 se^2), which is 1 if the errors are right:
/// half of the entries have twice the variance. The largest of all components.
double distance_over_prediction(const std::vector<Matrix>& a, const std::vector<Matrix>& b,
                                const std::vector<Matrix>& errors) {
  double largest = 0;
  for (Index k = 0; k < a.front().cols(); ++k) {
    double sum = 0;
    double rows = 0;
    for (std::size_t m = 0; m < a.size(); ++m) {
      for (Index i = 0; i < a[m].rows(); ++i) {
        const double error = errors[m](i, k);
        if (!(error > 0)) continue;  // at its bound
        sum += std::pow((a[m](i, k) - b[m](i, k)) / (2 * error), 2);
        rows += 1;
      }
    }
    largest = std::max(largest, sum / std::max(rows, 1.0));
  }
  return largest;
}

/// The lower quartile of |z| on the other half, under the deviations of all, over that of all.
double quartile_ratio(const Half& half, const DenseCore& other, const Entries& residual_of_all,
                      const Entries& z) {
  const Entries R = residual(other, half.fit.factors);
  std::vector<double> outside;
  std::vector<double> inside;
  for (Index i = 0; i < R.size(); ++i) {
    if (!other.is_observed(i) || z[i] == 0) continue;
    outside.push_back(std::abs(R[i] * z[i] / residual_of_all[i]));
    inside.push_back(std::abs(z[i]));
  }
  return quantile(outside, low_quantile) / std::max(quantile(inside, low_quantile), tiny);
}

}  // namespace

void test_halves(const DenseCore& part, const NoisyFit& fit, const CpModel& model,
                 const std::vector<Matrix>& errors, const Entries& z,
                 const ModeConstraints& constraints, Rng& rng, Monitor& monitor,
                 NoiseEvidence& evidence) {
  Entries belongs(z.size());
  for (double& x : belongs) x = rng.bernoulli(0.5) ? 1 : 0;
  const Half first = fitted(part, belongs, fit, constraints, rng, monitor);
  const Half second = fitted(part, 1 - belongs, fit, constraints, rng, monitor);
  evidence.match = std::min(least_match(first.fit.factors, fit.factors),
                            least_match(second.fit.factors, fit.factors));
  evidence.cold = std::max(first.cold, second.cold);
  evidence.chip = distance_over_prediction(aligned(first.fit.factors, model),
                                           aligned(second.fit.factors, model), errors);
  const Entries R = residual(part, fit.factors);
  evidence.hold =
      std::max(quartile_ratio(first, second.part, R, z), quartile_ratio(second, first.part, R, z));
}

}  // namespace sunder::robust
