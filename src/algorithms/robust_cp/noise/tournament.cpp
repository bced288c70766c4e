#include "algorithms/robust_cp/noise/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// The variance of the number of errors in a slice over that of errors which fall anywhere, in the
/// mode where it is largest.
double overdispersion(const NoisyFit& fit, const Shape& shape) {
  double largest = 0;
  for (std::size_t m = 0; m < fit.inlier_shares.size(); ++m) {
    const double size = static_cast<double>(shape.entries() / shape[static_cast<int>(m)]);
    const Eigen::ArrayXd errors = size * (1 - fit.inlier_shares[m].array());
    const double share = errors.mean() / size;
    const double by_chance = std::max(size * share * (1 - share), 1.0);
    largest = std::max(largest, (errors - size * share).square().mean() / by_chance);
  }
  return largest;
}

class Tournament {
 public:
  Tournament(const DenseCore& part, int rank, Rng& rng, Monitor& monitor)
      : part_(part), rank_(rank), rng_(rng), monitor_(monitor) {}

  TournamentResult run() {
    add("robust", graduated_start(part_, rank_, {}, rng_, monitor_), false);
    add("least squares", least_squares_start(part_, rank_, rng_, monitor_), true);
    add("least squares, narrowed", descending_start(part_, rank_, rng_, monitor_), false);
    add("greedy", greedy_start(part_, rank_, rng_, monitor_), false);
    if (result_.contenders.empty()) return {};
    const NoisyFit& leader = best().fit;
    result_.errors_are_uneven = leader.noise.outlier_share > limits::some_errors &&
                                overdispersion(leader, part_.shape) > limits::uneven;
    if (result_.errors_are_uneven) add_with_surplus();
    add("clean", clean_start(part_, cleaned(), rank_, rng_, monitor_), false);
    respawn();
    finish();
    return std::move(result_);
  }

 private:
  Contender& best() {
    return *std::min_element(
        result_.contenders.begin(), result_.contenders.end(),
        [](const Contender& a, const Contender& b) { return a.fit.nats < b.fit.nats; });
  }

  /// Starts that fail, as on data without any spread, do not take part.
  void add(const std::string& name, const Factors& factors, bool from_above) {
    if (!(norm(factors) > 0)) return;
    for (const Matrix& factor : factors) {
      if (!factor.allFinite()) return;
    }
    RefineOptions options{.steps = limits::tournament_steps, .exact_if_slow = false};
    if (!result_.contenders.empty()) options.hopeless = best().fit.nats + limits::hopeless;
    NoisyFit fit =
        refine(part_, factors, first_noise(part_, factors, from_above), options, monitor_);
    if (std::isfinite(fit.nats)) result_.contenders.push_back({name, std::move(fit)});
  }

  /// Blocks and ridges are nearly components themselves: surplus components take them up.
  void add_with_surplus() {
    Index least = part_.shape[0];
    for (const Index extent : part_.shape) least = std::min(least, extent);
    const int surplus = static_cast<int>(
        std::max<Index>(limits::least_surplus, std::min<Index>(limits::full_side, least) / 5));
    add("surplus components",
        graduated_start(part_, rank_, {.surplus = surplus, .first_width = limits::patient_width},
                        rng_, monitor_),
        false);
    std::vector<double> seen;
    for (int k = 0; k < limits::generous_tries; ++k) {
      const std::size_t before = result_.contenders.size();
      add("generous scale",
          graduated_start(part_, rank_,
                          {.surplus = limits::least_surplus,
                           .first_width = limits::generous_width,
                           .floor_quantile = limits::generous_floor},
                          rng_, monitor_),
          true);
      if (result_.contenders.size() == before) continue;
      seen.push_back(result_.contenders.back().fit.nats);
      std::sort(seen.begin(), seen.end());
      if (seen.front() > best().fit.nats + limits::hopeless) break;
      if (seen.size() > 1 && seen[1] < seen[0] + limits::same_nats) break;
    }
  }

  /// Starts that came to the best likelihood, or so near that noise explains the rest.
  std::ptrdiff_t leaders() {
    const double limit = best().fit.nats + limits::same_leader;
    return std::ranges::count_if(result_.contenders,
                                 [&](const Contender& c) { return c.fit.nats < limit; });
  }

  /// A component that the leader lacks shows in what it leaves. At first only residuals near the
  /// noise count, then larger ones, too.
  void respawn() {
    for (int k = 0; k < limits::respawns && leaders() < limits::enough_leaders; ++k) {
      const bool last_width = k % 2 == 1;
      const NoisyFit& leader = best().fit;
      const double before = leader.nats;
      add("one component more, then one fewer",
          respawned_start(part_, leader.factors, rank_, respawn_scale(leader, last_width), rng_,
                          monitor_),
          false);
      if (last_width && best().fit.nats > before - limits::respawn_gain) break;
    }
  }

  double respawn_scale(const NoisyFit& leader, bool large) const {
    if (!large) return limits::respawn_width * leader.noise.sigma();
    std::vector<double> magnitudes =
        magnitudes_at(part_, leader.factors, thinned(informative(part_)));
    return limits::respawn_reach * quantile(magnitudes, limits::respawn_quantile) + tiny;
  }

  /// The data with errors replaced by the model.
  Entries cleaned() {
    const NoisyFit& leader = best().fit;
    EntryWeights weights;
    likelihood_sums(part_, leader.factors, leader.noise, monitor_, &weights);
    return evaluate(leader.factors) + weights.inlier * residual(part_, leader.factors);
  }

  /// The leaders go on until they change no more.
  void finish() {
    auto& contenders = result_.contenders;
    const auto by_nats = [](const Contender& a, const Contender& b) {
      return a.fit.nats < b.fit.nats;
    };
    std::stable_sort(contenders.begin(), contenders.end(), by_nats);
    const double limit = contenders.front().fit.nats + limits::hopeless;
    std::size_t finals = 0;
    for (Contender& contender : contenders) {
      if (contender.fit.nats > limit || finals == limits::finalists) break;
      contender.fit = refine(part_, contender.fit.factors, contender.fit.noise,
                             {.steps = limits::final_steps}, monitor_);
      ++finals;
    }
    std::stable_sort(contenders.begin(), contenders.end(), by_nats);
  }

  const DenseCore& part_;
  int rank_;
  Rng& rng_;
  Monitor& monitor_;
  TournamentResult result_;
};

}  // namespace

TournamentResult hold_tournament(const DenseCore& part, int rank, Rng& rng, Monitor& monitor) {
  return Tournament(part, rank, rng, monitor).run();
}

}  // namespace sunder::robust
