#include "algorithms/robust_cp/noise/rivals/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/noise.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

double apart(const NoisyFit& a, const NoisyFit& b) {
  return distance(a.factors, b.factors) / std::max(norm(a.factors), tiny);
}

/// How far apart two L may be that are the same but for noise: least squares is off by the noise of
/// as many entries as there are unknowns.
double same_within(const DenseCore& core, const NoisyFit& best) {
  double unknowns = 0;
  for (const Matrix& factor : best.factors) unknowns += static_cast<double>(factor.size());
  const double inliers = core.observed_share() * (1 - best.noise.outlier_share);
  const double error = best.noise.sigma() * std::sqrt(unknowns / inliers);
  return std::max(limits::same_model,
                  limits::same_in_errors * error / std::max(norm(best.factors), tiny));
}

}  // namespace

void note_other(const DenseCore& core, const Contender& other, const NoisyFit& best,
                NoisySolution& solution) {
  const double distance = apart(best, other.fit);
  const double gap = std::max(other.fit.nats - best.nats, 0.0);
  if (distance < same_within(core, best)) {
    if (other.is_independent) ++solution.agreeing;
  } else if (solution.rival.empty() || gap < solution.rival_gap) {
    solution.rival = other.start;
    solution.rival_gap = gap;
    solution.rival_distance = distance;
  }
}

void weigh(const DenseCore& core, Contender contender, NoisySolution& solution) {
  const bool is_first = solution.start.empty();
  if (!is_first && !(contender.fit.nats < solution.fit.nats)) {
    note_other(core, contender, solution.fit, solution);
    return;
  }
  Contender before{std::exchange(solution.start, contender.start),
                   std::exchange(solution.fit, std::move(contender.fit))};
  if (is_first) return;
  solution.rival_gap += before.fit.nats - solution.fit.nats;
  if (apart(solution.fit, before.fit) >= same_within(core, solution.fit)) solution.agreeing = 0;
  note_other(core, before, solution.fit, solution);
}

}  // namespace sunder::robust
