// The search, as docs/certificate.md describes it.
#include "algorithms/robust_cp/consensus/consensus.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/consensus/box_components.hpp"
#include "algorithms/robust_cp/consensus/row_moves.hpp"
#include "algorithms/robust_cp/consensus/search_levels.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/exact/sharpening.hpp"
#include "algorithms/robust_cp/levels.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::search;

class ConsensusSearch {
 public:
  ConsensusSearch(const Window& window, const ConsensusOptions& options, Rng& rng, Monitor& monitor)
      : window_(window), options_(options), rng_(rng), monitor_(monitor) {}

  Consensus run(const Factors& start) {
    found_.factors = live_components(start);
    found_.fitted = count(found_.factors);
    known_ = window_.core.complete() ? window_.core.shape.entries()
                                     : static_cast<Index>(window_.core.observed.sum());
    for (int round = 0; round < limits::rounds; ++round) {
      const Index before = found_.fitted;
      if (before == known_) return found_;  // nothing can fit more
      move_rows();
      add_or_exchange_components();
      if (found_.fitted == before) return found_;
    }
    found_.cut_short = true;
    return found_;
  }

 private:
  Index count(const Factors& factors) { return window_.fitted(factors, monitor_); }
  Index components() const { return found_.factors.front().cols(); }
  Index room() const {
    return options_.chosen ? limits::most_new : options_.most_components - components();
  }

  void take(Factors factors) {
    factors = sharpened(live_components(factors));
    found_.fitted = count(factors);
    found_.factors = std::move(factors);
    ++found_.moves;
  }

  /// Down to rounding, unless that loses entries.
  Factors sharpened(const Factors& factors) {
    CoreSolution solution;
    solution.factors = factors;
    solution.spread = window_.spread;
    sharpen(window_.core, window_.constraints, solution, monitor_);
    return count(solution.factors) >= count(factors) ? solution.factors : factors;
  }

  void move_rows() {
    for (int sweep = 0; sweep < limits::row_sweeps; ++sweep) {
      Factors factors = found_.factors;
      const RowMoves moves = improve_rows(window_, factors, rng_, monitor_);
      found_.ties = moves.ties;
      if (moves.gain == 0) return;
      take(std::move(factors));
    }
  }

  /// Looks for components in S, as many as there is room for and one beyond, and keeps those that
  /// together fit the most.
  void add_or_exchange_components() {
    found_.may_lack = false;
    if (found_.fitted == known_) return;
    const bool can_exchange = exchange_can_help();
    if (room() <= 0 && !can_exchange) return;
    const SparseMarks sparse = window_.sparse_of(found_.factors);
    const Entries rest = residual(window_.core, found_.factors);
    for (const Box& box : dense_boxes(sparse, rng_)) {
      monitor_.beat();
      const Index most = std::clamp<Index>(room() + (can_exchange ? 1 : 0), 1, limits::most_new);
      for (int k = 1; k <= most; ++k) {
        const Factors added = components_in_box(window_, rest, box, k, rng_, monitor_);
        if (added.empty()) continue;
        if (try_with(added)) return;
        break;
      }
    }
  }

  /// Whether S has more entries than some component fits: only then can another take its place.
  bool exchange_can_help() {
    const Index sparse = known_ - found_.fitted;
    for (Index k = 0; k < components(); ++k) {
      const Index own = found_.fitted - count(without_component(found_.factors, k));
      if (sparse > own) return true;
    }
    return false;
  }

  /// Heals the rows of the larger model, leaves out components beyond the room, and takes what is
  /// left if it fits more.
  bool try_with(const Factors& added) {
    Factors model = joined(found_.factors, added);
    for (int sweep = 0; sweep < limits::heal_sweeps; ++sweep) {
      if (improve_rows(window_, model, rng_, monitor_).gain == 0) break;
    }
    model = live_components(model);
    impose(window_.constraints, model);
    const Index grown = model.front().cols() - components();
    while (!options_.chosen && model.front().cols() > options_.most_components) {
      model = without_least(model);
    }
    const Index gain = count(model) - found_.fitted;
    const Index unknowns = unknowns_of_components(added);
    const bool exchanged = model.front().cols() - components() < grown;
    const double needed = exchanged ? 0 : levels::evidence_per_unknown;
    if (static_cast<double>(gain) > needed * static_cast<double>(unknowns)) {
      take(std::move(model));
      return true;
    }
    if (!exchanged && gain > unknowns) found_.may_lack = true;
    return false;
  }

  Factors without_least(const Factors& model) {
    Index most = -1;
    Factors best;
    for (Index k = 0; k < model.front().cols(); ++k) {
      Factors fewer = without_component(model, k);
      const Index fitted = count(fewer);
      if (fitted > most) {
        most = fitted;
        best = std::move(fewer);
      }
    }
    return best;
  }

  const Window& window_;
  const ConsensusOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  Consensus found_;
  Index known_ = 0;
};

}  // namespace

Consensus seek_consensus(const Window& window, const Factors& factors,
                         const ConsensusOptions& options, Rng& rng, Monitor& monitor) {
  return ConsensusSearch(window, options, rng, monitor).run(factors);
}

}  // namespace sunder::robust
