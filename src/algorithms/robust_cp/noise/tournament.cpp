#include "algorithms/robust_cp/noise/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/noise/residual_structure.hpp"
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
    if (informative(part_).empty()) return {};  // no entry of the part is known
    const Factors plain = least_squares_start(part_, rank_, rng_, monitor_);
    add("robust", graduated_start(part_, rank_, {}, rng_, monitor_), false);
    add("least squares", plain, true);
    add("least squares, narrowed", descending_start(part_, plain, rng_, monitor_), false);
    if (!is_settled()) add_others();
    if (result_.contenders.empty()) return {};
    finish();
    return std::move(result_);
  }

 private:
  /// Whether enough starts lead to one model. The clean start, which is cheap, may be the last of
  /// them. Where errors are uneven, surplus components must not lead to a better one.
  bool is_settled() {
    if (result_.contenders.empty()) return false;
    if (leaders() + 1 == limits::enough_leaders) add_clean();
    if (leaders() >= limits::enough_leaders && errors_are_uneven()) add_with_surplus();
    return leaders() >= limits::enough_leaders && !leaves_structure();
  }

  /// Starts can agree on an L that has a pattern of the errors in place of a component. What it
  /// leaves is then no noise.
  bool leaves_structure() {
    return residual_structure(part_, best().fit, monitor_) > limits::noise_structure;
  }

  void add_others() {
    add("greedy", greedy_start(part_, rank_, rng_, monitor_), false);
    if (result_.contenders.empty()) return;
    result_.errors_are_uneven = errors_are_uneven();
    if (result_.errors_are_uneven) {
      if (!has_surplus_) add_with_surplus();
      add_with_generous_scale();
    }
    add_clean();
    respawn();
  }

  /// From the leader, unless it is from there already.
  void add_clean() {
    const double leader = best().fit.nats;
    if (!(leader < cleaned_ - limits::same_leader)) return;
    add("clean", clean_start(part_, cleaned(), rank_, rng_, monitor_), false, false);
    cleaned_ = best().fit.nats;
  }

  bool errors_are_uneven() {
    const NoisyFit& leader = best().fit;
    return leader.noise.outlier_share > limits::some_errors &&
           overdispersion(leader, part_.shape) > limits::uneven;
  }

  Contender& best() {
    return *std::min_element(
        result_.contenders.begin(), result_.contenders.end(),
        [](const Contender& a, const Contender& b) { return a.fit.nats < b.fit.nats; });
  }

  /// Starts that fail, as on data without any spread, do not take part.
  void add(const std::string& name, const Factors& factors, bool from_above,
           bool is_independent = true) {
    if (!(norm(factors) > 0)) return;
    for (const Matrix& factor : factors) {
      if (!factor.allFinite()) return;
    }
    RefineOptions options{.steps = limits::tournament_steps, .exact_if_slow = false};
    if (!result_.contenders.empty()) options.hopeless = best().fit.nats + limits::hopeless;
    NoisyFit fit =
        refine(part_, factors, first_noise(part_, factors, from_above), options, monitor_);
    if (std::isfinite(fit.nats))
      result_.contenders.push_back({name, std::move(fit), is_independent});
  }

  /// Blocks and ridges are nearly components themselves: surplus components take them up.
  void add_with_surplus() {
    has_surplus_ = true;
    Index least = part_.shape[0];
    for (const Index extent : part_.shape) least = std::min(least, extent);
    const int surplus = static_cast<int>(
        std::max<Index>(limits::least_surplus, std::min<Index>(limits::full_side, least) / 5));
    add("surplus components",
        graduated_start(part_, rank_, {.surplus = surplus, .first_width = limits::patient_width},
                        rng_, monitor_),
        false);
  }

  void add_with_generous_scale() {
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

  /// Starts that came to the best likelihood, or so near that noise explains the rest, and those
  /// that a few steps more would bring there: near in likelihood and in L.
  std::ptrdiff_t leaders() {
    const NoisyFit& leader = best().fit;
    const double size = norm(leader.factors);
    return std::ranges::count_if(result_.contenders, [&](const Contender& c) {
      const double behind = c.fit.nats - leader.nats;
      return behind < limits::same_leader ||
             (behind < limits::nearly_leader &&
              distance(c.fit.factors, leader.factors) < limits::nearly_same * size);
    });
  }

  /// A component that the leader lacks shows in what it leaves. At first only residuals near the
  /// noise count, then larger ones, too.
  void respawn() {
    for (int k = 0; k < limits::respawns; ++k) {
      if (leaders() >= limits::enough_leaders && !leaves_structure()) break;
      const bool last_width = k % 2 == 1;
      const NoisyFit& leader = best().fit;
      const double before = leader.nats;
      add("one component more, then one fewer",
          respawned_start(part_, leader.factors, rank_, respawn_scale(leader, last_width), rng_,
                          monitor_),
          false, false);
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
  bool has_surplus_ = false;  ///< the start with surplus components took part
  double cleaned_ = std::numeric_limits<double>::infinity();  ///< nats, after the clean start
};

}  // namespace

TournamentResult hold_tournament(const DenseCore& part, int rank, Rng& rng, Monitor& monitor) {
  return Tournament(part, rank, rng, monitor).run();
}

}  // namespace sunder::robust
