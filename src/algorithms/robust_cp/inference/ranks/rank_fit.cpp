#include "algorithms/robust_cp/inference/ranks/rank_fit.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/inference/component_tests.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/noise/tournament.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The factors with the leading terms of what they leave, errors left out, as further components.
Factors enlarged(const DenseCore& part, const NoisyFit& fit, int rank, Rng& rng, Monitor& monitor) {
  EntryWeights weights;
  likelihood_sums(part, fit.factors, fit.noise, monitor, &weights);
  const Entries rest = weights.inlier * residual(part, fit.factors) / part.observed_share();
  const auto more = rank - static_cast<int>(fit.factors.front().cols());
  Factors leading = subspace_start(part.shape, rest, more, rng, monitor);
  balance(leading);
  Factors factors = fit.factors;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    const Index before = factors[m].cols();
    factors[m].conservativeResizeLike(Matrix::Zero(factors[m].rows(), rank));
    factors[m].middleCols(before, leading[m].cols()) = leading[m];
  }
  return factors;
}

/// One of two random halves of the observed entries.
DenseCore half_of(const DenseCore& part, const Eigen::ArrayXd& belongs) {
  DenseCore half = part;
  half.observed = part.complete() ? Entries(belongs) : Entries(part.observed * belongs);
  half.values *= half.observed;
  return half;
}

}  // namespace

RankFitter::RankFitter(const DenseCore& part, const ModeConstraints& constraints, bool halves,
                       Rng& rng, Monitor& monitor)
    : part_(part),
      constraints_(constraints),
      halves_(halves),
      rng_(rng),
      monitor_(monitor),
      entries_(part.observed_share() * static_cast<double>(part.shape.entries())) {}

double RankFitter::unknowns(int rank) const {
  Index rows = 1 - part_.shape.order();
  for (const Index extent : part_.shape) rows += extent;
  return static_cast<double>(rank * rows);
}

NoisyFit RankFitter::obedient(NoisyFit fit) {
  if (!constraints_.any()) return fit;
  Factors factors = fit.factors;
  constrain(part_, constraints_, fit.noise.sigma(), factors, monitor_);
  return refine(part_, std::move(factors), fit.noise,
                {.steps = limits::rank_steps, .constraints = constraints_}, monitor_);
}

NoisyFit RankFitter::cold(int rank) {
  TournamentResult held = hold_tournament(part_, rank, rng_, monitor_);
  if (held.contenders.empty()) return {};
  return obedient(std::move(held.contenders.front().fit));
}

NoisyFit RankFitter::warm(int rank, const NoisyFit& smaller) {
  Factors factors = enlarged(part_, smaller, rank, rng_, monitor_);
  return obedient(
      refine(part_, std::move(factors), smaller.noise, {.steps = limits::rank_steps}, monitor_));
}

RankFit RankFitter::fit(int rank, const RankFit* smaller) {
  RankFit found;
  found.record.rank = rank;
  found.record.agreement = unknown;
  found.unknowns = unknowns(rank);
  NoisyFit best = cold(rank);
  if (smaller != nullptr) {
    NoisyFit other = warm(rank, smaller->fit);
    if (best.factors.empty()) std::swap(best, other);
    if (!other.factors.empty()) {
      found.record.agreement = least_match(best.factors, other.factors);
      if (other.nats < best.nats) std::swap(best, other);
    }
  }
  found.fit = std::move(best);
  if (found.fit.factors.empty()) {
    found.record.nats = found.record.description = std::numeric_limits<double>::infinity();
    return found;
  }
  examine(found);
  found.record.halves = unknown;
  found.record.held_out = unknown;
  if (halves_) compare_halves(found);
  return found;
}

void RankFitter::examine(RankFit& found) {
  const NoisyFit& fit = found.fit;
  EntryWeights weights;
  likelihood_sums(part_, fit.factors, fit.noise, monitor_, &weights);
  const Entries L = evaluate(fit.factors);
  Entries is_inlier = (weights.inlier > 0.5).cast<double>();
  if (!part_.complete()) is_inlier *= part_.observed;
  const Entries clean = L + is_inlier * (part_.values - L);
  RankRecord& record = found.record;
  record.nats = fit.nats;
  record.description = entries_ * fit.nats + 0.5 * found.unknowns * std::log(entries_);
  record.consistency =
      core_consistency(part_.shape, clean, fit.factors, (is_inlier * weights.variance).mean());
  record.boxes = static_cast<int>((boxes(fit.factors) > limits::box).count());
  record.outlier_share = fit.noise.outlier_share;
  record.sigma = fit.noise.sigma();
}

void RankFitter::compare_halves(RankFit& found) {
  Eigen::ArrayXd belongs(part_.shape.entries());
  for (double& x : belongs) x = rng_.bernoulli(0.5) ? 1 : 0;
  const DenseCore first = half_of(part_, belongs);
  const DenseCore second = half_of(part_, 1 - belongs);
  const RefineOptions options{.steps = limits::half_steps, .constraints = constraints_};
  const NoisyFit a = refine(first, found.fit.factors, found.fit.noise, options, monitor_);
  const NoisyFit b = refine(second, found.fit.factors, found.fit.noise, options, monitor_);
  found.record.halves = least_match(a.factors, b.factors);
  found.record.held_out = likelihood_sums(second, a.factors, a.noise, monitor_).nats_per_entry();
}

}  // namespace sunder::robust
