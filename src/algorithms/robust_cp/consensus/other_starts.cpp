#include "algorithms/robust_cp/consensus/other_starts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/consensus/components/box_components.hpp"
#include "algorithms/robust_cp/consensus/components/plain_fit.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/exact/core_verdict.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::other_starts;

class OtherStarts {
 public:
  OtherStarts(const DenseCore& core, const CoreSolution& known, const ConsensusOptions& options,
              const ModeConstraints& constraints, Rng& rng, Monitor& monitor)
      : window_{.core = core,
                .level = rounding_level * known.spread,
                .spread = known.spread,
                .constraints = constraints},
        known_(known),
        options_(options),
        rng_(rng),
        monitor_(monitor),
        flops_limit_(monitor.flops() + limits::most_flops),
        entries_(core.complete() ? static_cast<double>(core.shape.entries()) : core.observed.sum()),
        zeros_(entries_ - static_cast<double>(informative(core).size())) {}

  CoreSolution run() {
    const int most = static_cast<int>(
        options_.chosen ? limits::most_components
                        : std::min<Index>(options_.most_components, limits::most_components));
    climb(sharpened(known_.factors));
    for (int k = 1; k <= most && !done(); ++k) climb(plain_fit(window_.core, k, rng_, monitor_));
    for (int k = 1; k <= std::min(most, limits::most_robust) && !done(); ++k) {
      climb(solve_core(window_.core, k, {.reduce = false, .rungs = 1}, rng_, monitor_).factors);
    }
    if (!done()) climb(through_fibres());
    return solution();
  }

 private:
  bool done() const {
    if (monitor_.flops() > flops_limit_) return true;
    // Zeros are fitted by any model that is zero there.
    return static_cast<double>(best_.fitted) - zeros_ > limits::enough * (entries_ - zeros_) &&
           best_.ties == 0;
  }

  /// Moves from a start that fits some entries, and keeps what fits more than all others.
  void climb(const Factors& start) {
    if (start.empty() || start.front().cols() == 0) return;
    for (const Matrix& factor : start) {
      if (!factor.allFinite()) return;
    }
    Factors obedient = live_components(start, window_.level);
    if (obedient.front().cols() == 0) return;
    impose(window_.constraints, obedient);
    const auto fitted = static_cast<double>(window_.fitted(obedient, monitor_));
    if (fitted < limits::least * entries_) return;
    Consensus found = seek_consensus(window_, obedient, options_, rng_, monitor_);
    if (found.fitted > best_.fitted) best_ = std::move(found);
  }

  /// Gauss-Newton on the inliers, whose limit falls.
  Factors sharpened(Factors factors) {
    factors = live_components(factors, window_.level);
    if (factors.front().cols() == 0) return {};
    for (const double width : limits::falling_levels) {
      const Factors delta = weighted_gauss_newton_step(
          window_.core, factors, width * window_.spread, levels::patient_step, monitor_);
      factors = stepped(std::move(factors), delta);
    }
    return factors;
  }

  Factors through_fibres() {
    Box all;
    for (const Index extent : window_.core.shape) {
      std::vector<Index>& set = all.sets.emplace_back();
      for (Index i = 0; i < extent; ++i) set.push_back(i);
    }
    all.sparse = static_cast<Index>(limits::least * entries_);
    return components_in_box(window_, window_.core.values, all, 1, rng_, monitor_);
  }

  CoreSolution solution() {
    CoreSolution solution = known_;
    solution.exact = false;
    if (best_.factors.empty()) return solution;
    solution.factors = best_.factors;
    solution.exact_share = static_cast<double>(best_.fitted) / entries_;
    const double needed = levels::evidence_per_unknown * unknowns(best_.factors);
    if (solution.exact_share > limits::least && static_cast<double>(best_.fitted) > needed) {
      solution.sigma = levels::refit_rounding * known_.spread;
      assess(window_.core, {.constraints = window_.constraints}, solution, rng_, monitor_);
    }
    for (Matrix& factor : solution.factors) {
      const Index rank = options_.chosen ? factor.cols() : options_.most_components;
      factor.conservativeResizeLike(Matrix::Zero(factor.rows(), std::max(rank, factor.cols())));
    }
    return solution;
  }

  Window window_;
  const CoreSolution& known_;
  const ConsensusOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  double flops_limit_;
  double entries_;
  double zeros_;
  Consensus best_;
};

}  // namespace

CoreSolution solve_from_other_starts(const DenseCore& core, const CoreSolution& known,
                                     const ConsensusOptions& options,
                                     const ModeConstraints& constraints, Rng& rng,
                                     Monitor& monitor) {
  return OtherStarts(core, known, options, constraints, rng, monitor).run();
}

}  // namespace sunder::robust
