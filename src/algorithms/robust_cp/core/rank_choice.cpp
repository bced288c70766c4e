#include "algorithms/robust_cp/core/rank_choice.hpp"

#include <algorithm>
#include <map>

#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

class RankSearch {
 public:
  RankSearch(const DenseCore& core, int most, Rng& rng, Monitor& monitor)
      : core_(core), most_(most), rng_(rng), monitor_(monitor) {}

  RankChoice search() {
    int rank = first_that_settles();
    if (!settles(rank) && most_ > 1) {
      rungs_ = levels::ladder::rungs;  // the cheap start may have failed at the right rank
      fits_.clear();
      rank = first_that_settles();
    }
    const bool exact = fit(rank).exact;
    if (!exact) best_sigma_and_loss();
    const auto suffices = [&](int r) {
      return exact ? fit(r).exact : loss(r) <= levels::rank::loss * lowest_loss_;
    };
    int high = rank;
    if (!exact) {
      for (const auto& [tried, solution] : fits_) {
        if (suffices(tried)) {
          high = tried;
          break;
        }
      }
    }
    // Everything up to `low` has been seen not to suffice.
    int low = 0;
    for (const auto& [tried, solution] : fits_) {
      if (tried < high) low = tried;
    }
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (suffices(middle) ? high : low) = middle;
    }
    return {high, exact};
  }

 private:
  /// Enough components: what remains is rounding, or looks like noise.
  bool settles(int rank) { return fit(rank).exact || fit(rank).noise_like; }

  int first_that_settles() {
    int rank = 1;
    while (!settles(rank) && rank < most_) rank = std::min(2 * rank, most_);
    return rank;
  }

  const CoreSolution& fit(int rank) {
    const auto known = fits_.find(rank);
    if (known != fits_.end()) return known->second;
    return fits_
        .emplace(rank,
                 solve_core(core_, rank, {.reduce = false, .rungs = rungs_, .until_noise = true},
                            rng_, monitor_))
        .first->second;
  }

  /// Mean of min((R / 3 sigma)^2, 1), sigma that of the best fit, over the observed entries.
  double loss(int rank) {
    const Entries R = residual(core_, fit(rank).factors);
    const double seen = core_.complete() ? static_cast<double>(R.size()) : core_.observed.sum();
    return (R / (inlier_width * sigma_)).square().min(1.0).sum() / seen;
  }

  void best_sigma_and_loss() {
    sigma_ = fits_.begin()->second.sigma;
    for (const auto& [rank, solution] : fits_) sigma_ = std::min(sigma_, solution.sigma);
    lowest_loss_ = loss(fits_.begin()->first);
    std::vector<int> tried;
    for (const auto& [rank, solution] : fits_) tried.push_back(rank);
    for (const int rank : tried) lowest_loss_ = std::min(lowest_loss_, loss(rank));
  }

  const DenseCore& core_;
  int most_;
  Rng& rng_;
  Monitor& monitor_;
  int rungs_ = 1;
  std::map<int, CoreSolution> fits_;
  double sigma_ = 0;
  double lowest_loss_ = 0;
};

}  // namespace

RankChoice choose_rank(const DenseCore& core, int most, Rng& rng, Monitor& monitor) {
  return RankSearch(core, most, rng, monitor).search();
}

}  // namespace sunder::robust
