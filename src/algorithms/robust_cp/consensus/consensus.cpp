// The search, as docs/certificate.md describes it.
#include "algorithms/robust_cp/consensus/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/consensus/components/box_components.hpp"
#include "algorithms/robust_cp/consensus/components/fewer_components.hpp"
#include "algorithms/robust_cp/consensus/components/local_components.hpp"
#include "algorithms/robust_cp/consensus/rows/row_moves.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/exact/sharpening.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::search;

/// A model with further components, and what it fits beyond the present one.
struct Trial {
  Factors factors;
  double gain = 0;
  double unknowns = 0;     ///< of the new components
  bool exchanged = false;  ///< others had to leave for them
  bool too_large = false;  ///< it has more components than the model may have

  /// What it fits beyond what accident explains.
  double value() const { return gain - levels::evidence_per_unknown * unknowns; }
};

class ConsensusSearch {
 public:
  ConsensusSearch(const Window& window, const ConsensusOptions& options, Rng& rng, Monitor& monitor)
      : window_(window),
        options_(options),
        rng_(rng),
        monitor_(monitor),
        flops_limit_(monitor.flops() + limits::most_flops) {}

  Consensus run(const Factors& start) {
    found_.factors = live_components(start, window_.level);
    found_.fitted = count(found_.factors);
    known_ = window_.known();
    localise();
    for (int round = 0; round < limits::rounds; ++round) {
      const Index before = found_.fitted;
      found_.rivals = 0;
      if (before == known_) return found_;  // nothing can fit more
      move_rows();
      merge_components();
      replace_components();
      add_or_exchange_components();
      if (found_.fitted == before && sparse_may_have_a_model()) look_at_sparse_alone();
      if (found_.fitted == before || found_.cut_short) return polished();
    }
    found_.cut_short = true;
    return polished();
  }

 private:
  Index count(const Factors& factors) { return window_.fitted(factors, monitor_); }
  Index components() const { return found_.factors.front().cols(); }
  Index room() const {
    return options_.chosen ? limits::most_new : options_.most_components - components();
  }
  bool out_of_effort() {
    monitor_.beat();
    if (monitor_.flops() > flops_limit_) found_.cut_short = true;
    return found_.cut_short;
  }

  void take(Factors factors) {
    factors = live_components(factors, window_.level);
    if (factors.front().cols() == 0) {
      found_.cut_short = true;  // L = 0 fits more, which nobody asked for
      return;
    }
    factors = sharpened(factors);
    found_.fitted = count(factors);
    found_.factors = std::move(factors);
    ++found_.moves;
    localise();
  }

  /// Components on boxes must show before they can be exchanged.
  void localise() {
    if (window_.constraints.any()) return;
    Factors local = with_local_components(found_.factors, rng_);
    if (count(local) >= found_.fitted) found_.factors = std::move(local);
  }

  /// Down to rounding, unless that loses entries.
  Factors sharpened(const Factors& factors) {
    CoreSolution solution;
    solution.factors = factors;
    solution.spread = window_.spread;
    sharpen(window_.core, window_.constraints, solution, monitor_);
    return count(solution.factors) >= count(factors) ? solution.factors : factors;
  }

  /// A model that moves have changed, by Gauss-Newton on the entries that it fits.
  Consensus polished() {
    if (found_.moves == 0 || window_.core.shape.entries() > limits::most_polished) return found_;
    Factors factors = found_.factors;
    for (int step = 0; step < limits::polish_steps; ++step) {
      factors = stepped(factors, weighted_gauss_newton_step(window_.core, factors, window_.level,
                                                            levels::patient_step, monitor_));
    }
    impose(window_.constraints, factors);
    if (count(factors) >= found_.fitted) found_.factors = std::move(factors);
    return found_;
  }

  void move_rows() {
    for (int sweep = 0; sweep < limits::row_sweeps && !out_of_effort(); ++sweep) {
      Factors factors = found_.factors;
      const RowMoves moves = improve_rows(window_, factors, rng_, monitor_);
      found_.ties = moves.ties;
      if (moves.gain == 0) return;
      take(std::move(factors));
    }
  }

  /// Components that share what fewer could do leave no room for others.
  void merge_components() {
    while (std::optional<Factors> fewer =
               with_fewer_components(window_, found_.factors, found_.fitted, rng_, monitor_)) {
      found_.factors = std::move(*fewer);
      found_.fitted = count(found_.factors);
      ++found_.moves;
    }
    redundant_ = may_be_redundant(found_.factors, rng_);
  }

  /// Leaves out each component in turn, and fits another to the entries of S where it is at work.
  void replace_components() {
    for (Index k = 0; k < components() && !out_of_effort(); ++k) {
      Factors model = rival_of_component(window_, found_.factors, k, rng_);
      if (model.empty()) continue;
      impose(window_.constraints, model);
      heal(model);
      compare(std::move(model));
    }
  }

  /// Takes a model that fits more; remembers one that fits about as many entries.
  bool compare(Factors model) {
    model = live_components(model, window_.level);
    if (model.front().cols() == 0) return false;
    if (count(model) > found_.fitted) {
      take(std::move(model));
      return true;
    }
    const SparseMarks mine = window_.sparse_of(found_.factors);
    const SparseMarks its = window_.sparse_of(model);
    Index only_mine = 0;
    Index only_its = 0;
    for (std::size_t i = 0; i < mine.sparse.size(); ++i) {
      if (!mine.is_known(static_cast<Index>(i))) continue;
      only_mine += mine.sparse[i] < its.sparse[i] ? 1 : 0;
      only_its += mine.sparse[i] > its.sparse[i] ? 1 : 0;
    }
    const auto differ = static_cast<double>(only_mine + only_its);
    const double chance = levels::rivals::chance * std::sqrt(differ);
    const auto needed = static_cast<double>(model.front().cols() * std::ssize(model));
    if (static_cast<double>(only_its) > needed &&
        static_cast<double>(only_mine - only_its) < chance) {
      found_.rivals += 1;
    }
    return false;
  }

  void heal(Factors& model) {
    for (int sweep = 0; sweep < limits::heal_sweeps; ++sweep) {
      if (improve_rows(window_, model, rng_, monitor_).gain == 0) break;
    }
  }

  /// Looks for components in S, as many as there is room for and others to exchange for present
  /// ones, and keeps those that together fit the most.
  void add_or_exchange_components() {
    found_.may_lack = false;
    if (found_.fitted == known_) return;
    cost_of_place_ = least_own_entries();
    const bool can_exchange = cost_of_place_ < known_ - found_.fitted;
    if (room() <= 0 && !can_exchange && !redundant_) return;
    const SparseMarks sparse = window_.sparse_of(found_.factors);
    const Entries rest = residual(window_.core, found_.factors);
    const Index most =
        std::clamp<Index>(room() + (can_exchange ? components() : 0), 1, limits::most_new);
    for (const Box& box : dense_boxes(sparse, rng_)) {
      std::optional<Trial> best = best_of_box(box, rest, static_cast<int>(most));
      if (best && accept(*best)) return;
      if (out_of_effort()) return;
      if (may_hide_components(box)) found_.may_lack = true;
    }
  }

  /// Whether components could hide in a box in which nothing was found. They are worth having if
  /// they fit more entries of S there than the model loses by them: those that it fits in the box,
  /// and those of the component that gives its place. The search may have missed them if that is a
  /// small part of S, or too few entries to be sure of them.
  bool may_hide_components(const Box& box) const {
    if (!(box.nats_in_slices > 0)) return false;
    Index unknowns = 1 - std::ssize(box.sets);
    for (const auto& set : box.sets) unknowns += std::ssize(set);
    const Index place = room() > 0 ? Index{0} : cost_of_place_;
    const Index cost = std::max(unknowns, place + box.known - box.sparse);
    const double found = std::max(limits::found_share * static_cast<double>(box.sparse),
                                  levels::evidence_per_unknown * static_cast<double>(unknowns));
    return cost < box.sparse && static_cast<double>(cost) < found;
  }

  /// Whether another model could fit as much: other rows fit parts of S, or S is nearly as large as
  /// what the model fits. Asked once.
  bool sparse_may_have_a_model() {
    if (std::exchange(looked_at_sparse_, true)) return false;
    return options_.sparse_follows_rows || static_cast<double>(found_.fitted) <
                                               limits::clear_majority * static_cast<double>(known_);
  }

  /// Fits the entries that the model leaves, without those that it fits. If they have a model of
  /// their own, that may fit more of the others as well.
  void look_at_sparse_alone() {
    DenseCore rest = window_.core;
    const SparseMarks sparse = window_.sparse_of(found_.factors);
    rest.observed.resize(rest.values.size());
    for (Index i = 0; i < rest.values.size(); ++i) {
      rest.observed[i] = sparse.sparse[i] != 0 && sparse.is_known(i) ? 1 : 0;
    }
    rest.values *= rest.observed;
    Factors other = live_components(
        solve_core(rest, static_cast<int>(components()), {.reduce = false}, rng_, monitor_).factors,
        window_.level);
    if (other.front().cols() > 0) {
      impose(window_.constraints, other);
      heal(other);
      if (compare(std::move(other))) return;
    }
    if (options_.sparse_follows_rows) found_.may_lack = true;
  }

  std::optional<Trial> best_of_box(const Box& box, const Entries& rest, int most) {
    std::optional<Trial> best;
    for (int k = 1; k <= most && !out_of_effort(); ++k) {
      const Factors added = components_in_box(window_, rest, box, k, rng_, monitor_);
      if (added.empty()) continue;
      Trial trial = tried_with(added);
      if (!best || trial.value() > best->value()) best = std::move(trial);
      if (best->gain > limits::explained * static_cast<double>(box.sparse)) break;
    }
    return best;
  }

  /// Entries that the model would lose with a component that gives its place to another.
  Index least_own_entries() {
    Index least = found_.fitted;
    for (Index k = 0; k < components(); ++k) {
      least = std::min(least, found_.fitted - count(without_component(found_.factors, k)));
    }
    return least;
  }

  /// Heals the rows of the larger model, and leaves out components beyond the room.
  Trial tried_with(const Factors& added) {
    Factors model = joined(found_.factors, added);
    impose(window_.constraints, model);
    heal(model);
    model = live_components(model, window_.level);
    impose(window_.constraints, model);
    Trial trial;
    trial.unknowns = static_cast<double>(unknowns_of_components(added));
    if (!options_.chosen && model.front().cols() > options_.most_components) {
      make_room(model, trial);
    }
    trial.gain = static_cast<double>(count(model) - found_.fitted);
    trial.factors = std::move(model);
    return trial;
  }

  /// Components that the others can replace leave first, then those that fit the least.
  void make_room(Factors& model, Trial& trial) {
    const Index fitted = count(model);
    while (model.front().cols() > options_.most_components) {
      std::optional<Factors> fewer = with_fewer_components(window_, model, fitted, rng_, monitor_);
      if (!fewer) break;
      model = std::move(*fewer);
    }
    if (model.front().cols() <= options_.most_components) return;
    if (redundant_ && static_cast<double>(fitted - found_.fitted) > trial.unknowns) {
      trial.too_large = true;
    }
    Factors kept = model;
    while (kept.front().cols() > options_.most_components) kept = without_least(kept);
    if (trial.too_large && count(kept) <= found_.fitted) return;
    trial.too_large = false;
    trial.exchanged = true;
    model = std::move(kept);
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

  /// Takes a model that fits more. New components must fit more than by accident.
  bool accept(Trial& trial) {
    const double needed = trial.exchanged ? 0 : levels::evidence_per_unknown * trial.unknowns;
    if (trial.gain > needed && !trial.too_large) {
      take(std::move(trial.factors));
      return true;
    }
    if (!trial.exchanged && trial.gain > trial.unknowns) found_.may_lack = true;
    if (trial.exchanged) compare(std::move(trial.factors));
    return false;
  }

  const Window& window_;
  const ConsensusOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  double flops_limit_;
  Consensus found_;
  Index known_ = 0;
  bool looked_at_sparse_ = false;
  bool redundant_ = false;   ///< some components may do what fewer could
  Index cost_of_place_ = 0;  ///< entries that a new component must make up for if there is no room
};

}  // namespace

Consensus seek_consensus(const Window& window, const Factors& factors,
                         const ConsensusOptions& options, Rng& rng, Monitor& monitor) {
  return ConsensusSearch(window, options, rng, monitor).run(factors);
}

}  // namespace sunder::robust
