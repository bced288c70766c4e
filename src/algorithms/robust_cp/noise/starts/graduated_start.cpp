#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/graduated/core_sample.hpp"
#include "algorithms/robust_cp/core/graduated/core_start.hpp"
#include "algorithms/robust_cp/core/graduated/pruning.hpp"
#include "algorithms/robust_cp/levels/noise_starts.hpp"
#include "algorithms/robust_cp/noise/starts/descent.hpp"
#include "algorithms/robust_cp/noise/starts/starts.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::starts;

class GraduatedStart {
 public:
  GraduatedStart(const DenseCore& core, int rank, const GraduatedStartOptions& options, Rng& rng,
                 Monitor& monitor)
      : core_(core),
        rank_(rank),
        options_(options),
        rng_(rng),
        monitor_(monitor),
        informative_(informative(core)),
        sample_(core, informative_, rng, limits::sample) {}

  Factors run() {
    factors_ = first();
    int since_pruning = 0;
    for (int step = 0; step < limits::graduated_steps; ++step, ++since_pruning) {
      shrink();
      const double moved = descend(core_, scale_, damping_, factors_, monitor_);
      damping_ = std::max(damping_ / 3, limits::least_damping);
      if (has_surplus()) {
        if (step >= limits::first_pruning && prune(step >= limits::last_pruning)) since_pruning = 0;
      } else if (since_pruning > limits::rest && at_floor_ && moved < limits::settled) {
        break;
      }
    }
    if (has_surplus()) keep_the_largest();
    return std::move(factors_);
  }

 private:
  void keep_the_largest() {
    const Entries R = sample_.residual(factors_);
    Pruning pruning = choose_components(leave_one_out(sample_, factors_, R, scale_), rank_);
    pruning.kept.resize(rank_);
    Factors chosen;
    for (const Matrix& factor : factors_) chosen.emplace_back(factor(Eigen::all, pruning.kept));
    factors_ = best_of_lower_rank(factors_, chosen, sample_, scale_, rng_);
    balance(factors_);
  }

  bool has_surplus() const { return factors_.front().cols() > rank_; }

  Factors first() {
    if (options_.from != nullptr) return *options_.from;
    Entries X;
    if (options_.floor_quantile) {
      X = core_.values / core_.observed_share();
    } else {
      X = clipped_and_centred(core_, informative_, spread(core_, thinned(informative_)));
    }
    Factors factors = subspace_start(core_.shape, X, rank_ + options_.surplus, rng_, monitor_);
    for (Matrix& factor : factors) {  // a matrix may have fewer singular vectors
      if (factor.cols() < rank_) {
        factor.conservativeResizeLike(Matrix::Zero(factor.rows(), rank_));
      }
    }
    balance(factors);
    return factors;
  }

  /// The scale falls towards its floor, a multiple of a quantile of |R|.
  void shrink() {
    const Entries R = sample_.residual(factors_);
    const Entries L = sample_.values() - R;
    const double rms = std::sqrt(R.square().mean());
    const double low = telling_quantile(R, L, low_quantile);
    const double floor = options_.floor_quantile ? telling_quantile(R, L, *options_.floor_quantile)
                                                 : limits::narrowest * low;
    if (scale_ == 0 && first_scale_ > 0) {
      scale_ = std::max(floor, std::exchange(first_scale_, 0));
    } else if (scale_ == 0) {
      scale_ = std::max(floor, std::min(limits::widest * rms, options_.first_width * low));
    } else {
      scale_ = std::max(limits::scale_falls * scale_, std::min(scale_, floor));
    }
    at_floor_ = scale_ <= floor * 1.001;
  }

  bool prune(bool due) {
    const Entries R = sample_.residual(factors_);
    const Pruning pruning = choose_components(leave_one_out(sample_, factors_, R, scale_), rank_);
    if (!pruning.clear && !due) return false;
    Factors chosen;
    for (const Matrix& factor : factors_) chosen.emplace_back(factor(Eigen::all, pruning.kept));
    if (chosen.front().cols() > rank_) {
      factors_ = std::move(chosen);
      return true;
    }
    factors_ = best_of_lower_rank(factors_, chosen, sample_, scale_, rng_);
    balance(factors_);
    damping_ = limits::first_damping;
    scale_ = 0;  // what the others fitted is to be seen again
    return true;
  }

  const DenseCore& core_;
  int rank_;
  const GraduatedStartOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  std::vector<Index> informative_;
  CoreSample sample_;
  Factors factors_;
  double scale_ = 0;
  double first_scale_ = options_.first_scale;
  double damping_ = limits::first_damping;
  bool at_floor_ = false;
};

}  // namespace

Factors graduated_start(const DenseCore& core, int rank, const GraduatedStartOptions& options,
                        Rng& rng, Monitor& monitor) {
  return GraduatedStart(core, rank, options, rng, monitor).run();
}

}  // namespace sunder::robust
