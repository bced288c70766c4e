#include "algorithms/robust_cp/consensus/improvement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/certificate/rounding.hpp"
#include "algorithms/robust_cp/consensus/components/local_components.hpp"
#include "algorithms/robust_cp/consensus/consensus.hpp"
#include "algorithms/robust_cp/consensus/parts.hpp"
#include "algorithms/robust_cp/consensus/rows/hyperplane.hpp"
#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"
#include "algorithms/robust_cp/consensus/rows/sampled_rows.hpp"
#include "algorithms/robust_cp/extend/extension.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/random_order.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::search;

/// A component on k rows of each of N modes, among errors of density d, makes each of its slices
/// hold (1 - d) k^(N-1) more entries of S. That is 4 standard deviations, in slices of n entries,
/// from this k on.
double box_that_shows(const Shape& shape, double density) {
  const auto shortest = static_cast<double>(*std::min_element(shape.begin(), shape.end()));
  const double largest_slice = static_cast<double>(shape.entries()) / shortest;
  const double odds = density / std::max(1 - density, levels::boxes::least_fitted);
  const double excess = levels::boxes::stands_out * std::sqrt(largest_slice * odds);
  return std::max(2.0, std::ceil(std::pow(excess, 1.0 / (shape.order() - 1))));
}

class Improvement {
 public:
  Improvement(RunContext& context, const Candidate& candidate, double level, TensorFit& fit)
      : context_(context),
        level_(level),
        fit_(fit),
        rng_(context.run.seed, ~std::uint64_t{3}),
        improved_{candidate, {}} {}

  Improved run() {
    for (int round = 0; round < limits::passes; ++round) {
      improved_.report.box_side = box_that_shows(context_.shape, 1 - fit_.fitted_share());
      const bool is_rounding = fits_to_rounding(context_.engine, factors(), level_, rng_);
      if (fit_.statistics.rejected == 0 && (is_rounding || !is_small())) return improved_;
      // Moves without negative entries see less, so that a clear majority has to make up for it.
      if (context_.constraints.any_nonnegative() && fit_.fitted_share() < limits::clear_majority) {
        improved_.report.cut_short = true;
      }
      follows_rows_ = sparse_follows_rows();
      if (is_rounding && !follows_rows_ && nothing_can_be_better()) return improved_;
      const bool moved = is_small() ? search_window(all_indices(context_.shape)) : search_parts();
      if (!moved) return improved_;
      fit_ = context_.sparse_pass.find_sparse(factors(), level_, KeepOutliers::while_few);
      if (is_small()) return improved_;  // a fixed point already
    }
    improved_.report.cut_short = true;
    return improved_;
  }

 private:
  Factors& factors() { return improved_.candidate.factors; }
  Index asked() const { return context_.run.rank; }
  bool is_small() const {
    return context_.shape.entries() <= limits::largest_window &&
           context_.budget.fits(context_.shape);
  }

  /// Whether fewer components could give the same L, so that there is room for others. The factors
  /// of a matrix are never unique.
  bool may_do_with_fewer() const {
    return context_.shape.order() > 2 &&
           improved_.candidate.core.determinacy == Determinacy::open_factors;
  }

  /// Whether every row is beyond its rivals, and no component is left over or can be exchanged for
  /// another: each is at work everywhere, and most entries are fitted.
  bool nothing_can_be_better() {
    if (context_.chooses_rank || live_components(factors(), level_).front().cols() < asked())
      return false;
    if (fit_.fitted_share() < limits::clear_majority || may_do_with_fewer()) return false;
    for (const Matrix& factor : with_local_components(factors(), rng_)) {
      const Eigen::RowVectorXd largest = factor.cwiseAbs().colwise().maxCoeff();
      if ((factor.cwiseAbs().array() <=
           levels::zero_entry * largest.replicate(factor.rows(), 1).array())
              .any()) {
        return false;
      }
    }
    for (int mode = 0; mode < context_.shape.order(); ++mode) {
      if (!open_rows(fit_.slices[mode], factors().front().cols(), hyperplane_share(mode)).empty())
        return false;
    }
    return true;
  }

  /// Whether other rows fit a good part of what some rows leave, all over the tensor: S may follow
  /// another model, which no change of a single row reaches.
  bool sparse_follows_rows() {
    namespace limits = levels::contradiction;
    Factors scaled = factors();
    scaled.front() /= context_.state.scale;
    Index looked_at = 0;
    Index contradicted = 0;
    for (int mode = 0; mode < context_.shape.order(); ++mode) {
      const Index count = std::min(limits::rows, context_.shape[mode]);
      std::vector<Index> rows = draw_distinct(context_.shape[mode], count, rng_);
      std::ranges::sort(rows);
      const SampledRows sampled(context_.engine, scaled, mode, context_.state.scale,
                                level_ / context_.state.scale, context_.constraints);
      contradicted += sampled.contradicted(rows, rng_, context_.monitor);
      looked_at += count;
    }
    return static_cast<double>(contradicted) > limits::share * static_cast<double>(looked_at);
  }

  /// Of the design of a mode, by some of its columns.
  double hyperplane_share(int mode) {
    const Index rank = factors().front().cols();
    const Index count = levels::rivals::columns_of_hyperplane;
    Matrix design = Matrix::Ones(count, rank);
    for (std::size_t m = 0; m < factors().size(); ++m) {
      if (static_cast<int>(m) == mode) continue;
      for (Index j = 0; j < count; ++j) {
        const auto i = static_cast<Index>(rng_.below(factors()[m].rows()));
        design.row(j).array() *= factors()[m].row(i).array();
      }
    }
    return share_in_hyperplane(design, rng_);
  }

  /// Seeks a consensus on the product of index sets, and extends it to all of T.
  bool search_window(const IndexSets& sets) {
    context_.stage = "looking for models that fit more";
    context_.report_progress();
    Window window;
    window.core = gather_core(context_.engine, sets);
    const double scale = context_.state.scale;
    window.core.values /= scale;
    window.level = level_ / scale;
    window.spread = improved_.candidate.core.spread / scale;
    window.ratio_rounding = ratio_rounding(context_.engine, Precision::f64);
    window.rounding = rounding_share(context_.engine.type());
    window.constraints = context_.constraints;
    Factors start = at(factors(), sets);
    start.front() /= scale;
    const Consensus found = seek_consensus(
        window, start, {asked(), context_.chooses_rank, follows_rows_}, rng_, context_.monitor);
    SearchReport& report = improved_.report;
    const Index ties = found.ties + found.rivals;
    report.ties = is_small() ? ties : report.ties + ties;
    report.may_lack = found.may_lack;
    report.cut_short = report.cut_short || found.cut_short;
    const bool is_all = sets == all_indices(context_.shape);
    if (found.moves == 0 && !(found.polished && is_all)) return false;
    report.moves += found.moves;
    Factors model = found.factors;
    if (!is_all) model = extended(sets, model);
    model.front() *= scale;
    adopt(std::move(model));
    return true;
  }

  Factors extended(const IndexSets& sets, const Factors& model) {
    CoreSolution core = improved_.candidate.core;
    core.factors = model;
    core.exact = true;
    core.sigma /= context_.state.scale;
    core.spread /= context_.state.scale;
    return extend(context_.engine, sets, core,
                  {.scale = context_.state.scale, .constraints = context_.constraints}, rng_,
                  context_.monitor);
  }

  void adopt(Factors model) {
    const Index components = model.front().cols();
    const Index rank = context_.chooses_rank ? components : asked();
    for (Matrix& factor : model) {
      factor.conservativeResizeLike(Matrix::Zero(factor.rows(), std::max(rank, components)));
    }
    factors() = std::move(model);
    assess_again();
  }

  /// Whether the fitted entries determine the new model, on a part of T that holds rows of every
  /// component.
  void assess_again() {
    const IndexSets sets = rows_of_every_component(context_.shape, context_.constraints,
                                                   live_components(factors(), level_), rng_);
    DenseCore core = gather_core(context_.engine, sets);
    const double scale = context_.state.scale;
    core.values /= scale;
    CoreSolution& solution = improved_.candidate.core;
    CoreSolution part = solution;
    part.factors = at(live_components(factors(), level_), sets);
    part.factors.front() /= scale;
    part.spread /= scale;
    part.exact = true;
    assess(core, {.constraints = context_.constraints}, part, rng_, context_.monitor);
    solution.exact = part.exact;
    solution.determinacy = part.determinacy;
    solution.evidence_needed = part.evidence_needed;
    solution.whole = true;
    solution.factors = part.factors;
  }

  /// Of a tensor that is too large for a window: its rows by samples of their slices, and the part
  /// where S is densest.
  bool search_parts() {
    const bool rows_moved = move_rows_by_samples();
    if (rows_moved) return true;
    const Shape extents = core_shape(context_.shape, static_cast<int>(asked()), limits::part_side);
    if (!context_.budget.fits(extents)) return false;
    const std::optional<IndexSets> dense =
        rows_with_most_of_sparse(extents, context_.constraints, fit_.slices);
    return dense && search_window(*dense);
  }

  bool move_rows_by_samples() {
    context_.stage = "looking for rows that fit more";
    context_.report_progress();
    Factors scaled = factors();
    scaled.front() /= context_.state.scale;
    Index moved = 0;
    improved_.report.ties = 0;
    for (int mode = 0; mode < context_.shape.order(); ++mode) {
      if (context_.constraints.leader(mode) != mode) continue;
      const std::vector<Index> rows =
          open_rows(fit_.slices[mode], factors().front().cols(), hyperplane_share(mode));
      if (rows.empty()) continue;
      const SampledRows sampled(context_.engine, scaled, mode, context_.state.scale,
                                level_ / context_.state.scale, context_.constraints);
      const RowChanges changes =
          sampled.look(rows, least_fitted_share(fit_.slices[mode], rows), rng_, context_.monitor);
      improved_.report.ties += changes.ties;
      for (std::size_t k = 0; k < changes.rows.size(); ++k) {
        scaled[mode].row(changes.rows[k]) = changes.coefficients.row(static_cast<Index>(k));
      }
      moved += std::ssize(changes.rows);
    }
    if (moved == 0) return false;
    improved_.report.moves += 1;
    scaled.front() *= context_.state.scale;
    adopt(live_components(scaled, level_));
    return true;
  }

  RunContext& context_;
  double level_;
  TensorFit& fit_;
  Rng rng_;
  Improved improved_;
  bool follows_rows_ = false;  ///< S may follow another model
};

}  // namespace

Improved improve(RunContext& context, const Candidate& candidate, double level, TensorFit& fit) {
  return Improvement(context, candidate, level, fit).run();
}

}  // namespace sunder::robust
