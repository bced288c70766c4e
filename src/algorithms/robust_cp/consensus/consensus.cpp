// The search, as docs/methods/robust-cp.md describes it.
#include "algorithms/robust_cp/consensus/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/consensus/components/box_components.hpp"
#include "algorithms/robust_cp/consensus/components/exchange.hpp"
#include "algorithms/robust_cp/consensus/components/fewer_components.hpp"
#include "algorithms/robust_cp/consensus/components/hidden_components.hpp"
#include "algorithms/robust_cp/consensus/components/local_components.hpp"
#include "algorithms/robust_cp/consensus/rows/row_moves.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/exact/sharpening.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::search;

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
    if (components() == 0) return found_;  // nothing to move from
    localise();
    for (int round = 0; round < limits::rounds; ++round) {
      const Index before = found_.fitted;
      if (before == known_) return polished();  // nothing can fit more
      found_.rivals = 0;
      move_rows();
      merge_components();
      replace_components();
      add_or_exchange_components();
      if (found_.fitted == before) look_at_sparse_alone();
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
  /// Places for components that no other has to leave: what is left of the rank that was asked for.
  /// Where some components do what fewer could, nobody knows how many there are.
  Index open_places() const {
    if (options_.chosen) return 0;  // a further component would have to shorten the description
    const bool unknown = redundant_ && window_.core.shape.order() > 2;
    return unknown ? limits::most_new : std::max<Index>(room(), 0);
  }
  bool out_of_effort() {
    monitor_.beat();
    if (monitor_.flops() > flops_limit_) found_.cut_short = true;
    return found_.cut_short;
  }

  // The moves.

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
      if (!model.empty()) take_or_remember(std::move(model));
    }
  }

  /// Looks for components in S, as many as there is room for and others to exchange for present
  /// ones, and takes those that together fit the most.
  void add_or_exchange_components() {
    found_.may_lack = false;
    if (found_.fitted == known_) return;
    const Index cost =
        has_arbitrary_components() ? 0 : cost_of_place(window_, found_.factors, monitor_);
    const bool can_exchange = cost < known_ - found_.fitted;
    if (room() <= 0 && !can_exchange && !redundant_) return;
    const Entries rest = residual(window_.core, found_.factors);
    const Index most =
        std::clamp<Index>(room() + (can_exchange ? components() : 0), 1, limits::most_new);
    const std::vector<Box> boxes = dense_boxes(window_.sparse_of(found_.factors), rng_);
    for (const Box& box : boxes) {
      std::optional<Trial> best = best_of_box(box, rest, static_cast<int>(most));
      if (best && accept(*best)) return;
      if (out_of_effort()) return;
      const Places places{static_cast<int>(most), room(), cost};
      if (fills_a_place(box, rest) || may_hide_components(box, places, window_.ratio_rounding) ||
          (!best && is_worth_a_component(box, places) &&
           has_proportional_slices(window_, rest, box).value_or(false))) {
        found_.may_lack = true;
      }
    }
    if (open_places() == 0 || found_.may_lack) return;
    const bool dense =
        boxes.empty() && has_dense_fibre(window_.sparse_of(found_.factors));  // else it is in a box
    found_.may_lack = dense || shows_in_pairs(rest);
  }

  /// Whether other components give the same L, and nobody chose those that show on boxes: what one
  /// of them fits does not say what its place costs.
  bool has_arbitrary_components() const {
    return window_.core.shape.order() == 2 && window_.constraints.any() && components() > 1;
  }

  /// Whether components for which there is room could be all that a dense box of S is. One of them
  /// would make slices proportional; several show in nothing but the box.
  bool fills_a_place(const Box& box, const Entries& rest) {
    if (open_places() == 0) return false;
    return open_places() > 1 || has_proportional_slices(window_, rest, box).value_or(true);
  }

  /// Whether S shows a component anywhere by slices that are proportional to each other.
  bool shows_in_pairs(const Entries& rest) {
    if (values_recur()) return false;
    return has_proportional_slices(window_, rest, whole(window_.core.shape)).value_or(false);
  }

  /// Entries of S with values in common are proportional to each other without any component.
  bool values_recur() const {
    const DenseCore outliers = outliers_of(window_.core, found_.factors, window_.level);
    return evidence_needed(outliers, levels::surplus::same_value * window_.level) > 1;
  }

  std::optional<Trial> best_of_box(const Box& box, const Entries& rest, int most) {
    std::optional<Trial> best;
    const ExchangeOptions options{options_.chosen ? 0 : options_.most_components, redundant_};
    for (int k = 1; k <= most && !out_of_effort(); ++k) {
      const Factors added = components_in_box(window_, rest, box, k, rng_, monitor_);
      if (added.empty()) continue;
      Trial trial = with_components(window_, found_.factors, added, options, rng_, monitor_);
      if (!best || trial.value() > best->value()) best = std::move(trial);
      if (best->gain > limits::explained * static_cast<double>(box.sparse)) break;
    }
    return best;
  }

  bool accept(Trial& trial) {
    if (trial.is_better()) {
      take(std::move(trial.factors));
      return true;
    }
    if (trial.is_a_hint()) found_.may_lack = true;
    if (trial.exchanged) compare(std::move(trial.factors));
    return false;
  }

  /// Fits the entries that the model leaves, without those that it fits. If they have a model of
  /// their own, that may fit more of the others as well. Asked once.
  void look_at_sparse_alone() {
    if (!sparse_may_have_a_model() || out_of_effort()) return;
    DenseCore rest = window_.core;
    const SparseMarks sparse = window_.sparse_of(found_.factors);
    rest.observed.resize(rest.values.size());
    for (Index i = 0; i < rest.values.size(); ++i) {
      rest.observed[i] = sparse.sparse[i] != 0 && sparse.is_known(i) ? 1 : 0;
    }
    rest.values *= rest.observed;
    Factors other = live_components(
        solve_core(rest, static_cast<int>(std::max(components(), options_.most_components)),
                   {.reduce = false, .constraints = window_.constraints}, rng_, monitor_)
            .factors,
        window_.level);
    if (other.front().cols() > 0 && take_or_remember(std::move(other))) return;
    if (options_.sparse_follows_rows) found_.may_lack = true;
  }

  /// Whether another model could fit as much: other rows fit parts of S, or S is nearly as large as
  /// what the model fits.
  bool sparse_may_have_a_model() {
    if (std::exchange(looked_at_sparse_, true)) return false;
    return options_.sparse_follows_rows || static_cast<double>(found_.fitted) <
                                               limits::clear_majority * static_cast<double>(known_);
  }

  // What becomes of the models that they find.

  bool take_or_remember(Factors model) {
    impose(window_.constraints, model);
    settle_rows(window_, model, rng_, monitor_);
    return compare(std::move(model));
  }

  /// Takes a model that fits more; remembers one that fits about as many entries.
  bool compare(Factors model) {
    model = live_components(model, window_.level);
    if (model.front().cols() == 0) return false;
    if (count(model) > found_.fitted) {
      take(std::move(model));
      return true;
    }
    if (fits_about_as_many(model)) ++found_.rivals;
    return false;
  }

  /// By the entries that only one of the two models fits, as for two counts.
  bool fits_about_as_many(const Factors& model) const {
    const SparseMarks mine = window_.sparse_of(found_.factors);
    const SparseMarks its = window_.sparse_of(model);
    double only_mine = 0;
    double only_its = 0;
    for (std::size_t i = 0; i < mine.sparse.size(); ++i) {
      if (!mine.is_known(static_cast<Index>(i))) continue;
      only_mine += mine.sparse[i] < its.sparse[i] ? 1 : 0;
      only_its += mine.sparse[i] > its.sparse[i] ? 1 : 0;
    }
    const double chance = levels::rivals::chance * std::sqrt(only_mine + only_its);
    const auto by_accident = static_cast<double>(model.front().cols() * std::ssize(model));
    return only_its > by_accident && only_mine - only_its < chance;
  }

  void take(Factors factors) {
    factors = live_components(factors, window_.level);
    if (factors.front().cols() == 0) {
      found_.cut_short = true;  // L = 0 fits more, which nobody asked for
      return;
    }
    found_.factors = sharpened(factors);
    found_.fitted = count(found_.factors);
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

  /// Gauss-Newton on the entries that the model fits, where it leaves more than rounding of them.
  Consensus polished() {
    Residue before = window_.residue_of(found_.factors);
    for (int step = 0; step < limits::polish_steps && before.in_rounding > 1; ++step) {
      const double width = std::min(window_.level, limits::polish_width * before.size);
      Factors factors =
          stepped(found_.factors, weighted_gauss_newton_step(window_.core, found_.factors, width,
                                                             levels::patient_step, monitor_));
      impose(window_.constraints, factors);
      if (count(factors) < found_.fitted) break;
      const Residue after = window_.residue_of(factors);
      if (!(after.size < before.size)) break;
      found_.factors = std::move(factors);
      found_.polished = true;
      const bool goes_on = after.size < limits::polish_progress * before.size;
      before = after;
      if (!goes_on) break;
    }
    return found_;
  }

  const Window& window_;
  const ConsensusOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
  double flops_limit_;
  Consensus found_;
  Index known_ = 0;
  bool looked_at_sparse_ = false;
  bool redundant_ = false;  ///< some components may do what fewer could
};

}  // namespace

Consensus seek_consensus(const Window& window, const Factors& factors,
                         const ConsensusOptions& options, Rng& rng, Monitor& monitor) {
  return ConsensusSearch(window, options, rng, monitor).run(factors);
}

}  // namespace sunder::robust
