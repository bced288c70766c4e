#include "algorithms/robust_cp/consensus/components/box_components.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::search;

/// T - L on the box.
DenseCore rest_in_box(const Window& window, const Entries& rest, const IndexSets& sets) {
  std::vector<Index> extents;
  for (const auto& set : sets) extents.push_back(std::ssize(set));
  DenseCore part;
  part.shape = Shape(extents);
  part.threads = window.core.threads;
  part.values.resize(part.shape.entries());
  if (!window.core.complete()) part.observed.resize(part.shape.entries());
  for (Index i = 0; i < part.shape.entries(); ++i) {
    ModeIndices index = part.shape.unravel(i);
    for (std::size_t m = 0; m < sets.size(); ++m) index[m] = sets[m][index[m]];
    const Index at = window.core.shape.linear(index);
    part.values[i] = rest[at];
    if (!part.complete()) part.observed[i] = window.core.observed[at];
  }
  return part;
}

/// The entries that are larger than rounding.
std::vector<Index> sparse_positions(const DenseCore& rest, double level) {
  std::vector<Index> positions;
  for (Index i = 0; i < rest.shape.entries(); ++i) {
    if (rest.is_observed(i) && std::abs(rest.values[i]) >= level) positions.push_back(i);
  }
  return positions;
}

/// Rank one from the fibres through an entry of S, whose values are the factors if the entry and
/// its fibres are free of errors; rows are then corrected by votes.
class FibreFit {
 public:
  FibreFit(const DenseCore& rest, std::vector<Index> sparse, double level, Rng& rng)
      : rest_(rest), level_(level), rng_(rng), sparse_(std::move(sparse)) {}

  Factors best() {
    Factors best;
    Index most = 0;
    for (int k = 0; k < limits::fibre_tries && !sparse_.empty(); ++k) {
      Factors factors = through(sparse_[rng_.below(sparse_.size())]);
      const Index fitted = correct(factors);
      if (fitted > most) {
        most = fitted;
        best = std::move(factors);
      }
      if (2 * most > std::ssize(sparse_)) break;
    }
    return best;
  }

 private:
  Factors through(Index position) const {
    const ModeIndices at = rest_.shape.unravel(position);
    Factors factors;
    for (int m = 0; m < rest_.shape.order(); ++m) {
      Matrix factor(rest_.shape[m], 1);
      ModeIndices index = at;
      for (Index i = 0; i < rest_.shape[m]; ++i) {
        index[m] = i;
        factor(i, 0) = rest_.values[rest_.shape.linear(index)];
      }
      if (m > 0) factor /= rest_.values[position];
      factors.push_back(std::move(factor));
    }
    return factors;
  }

  Index correct(Factors& factors) {
    Index fitted = 0;
    for (int sweep = 0; sweep < limits::heal_sweeps; ++sweep) {
      Factors next = factors;
      for (int m = 0; m < rest_.shape.order(); ++m) vote(next, m);
      const Index now = count(next);
      if (now <= fitted) break;
      fitted = now;
      factors = std::move(next);
    }
    return fitted;
  }

  Index count(const Factors& factors) const {
    const Entries L = evaluate(factors);
    if (!L.allFinite()) return 0;
    return std::ranges::count_if(
        sparse_, [&](Index i) { return std::abs(rest_.values[i] - L[i]) < level_; });
  }

  /// Each row of a mode: the densest window of values / design.
  void vote(Factors& factors, int mode) {
    const std::vector<Index> columns =
        draw_columns(rest_.shape.entries() / rest_.shape[mode], limits::votes, rng_);
    const RowProblem problem = row_problem(rest_, factors, mode, columns);
    const double least = levels::rivals::least_design * problem.design.cwiseAbs().maxCoeff();
    if (!(least > 0)) return;
    std::vector<std::pair<double, double>> votes;
    for (Index i = 0; i < problem.rows(); ++i) {
      votes.clear();
      for (Index j = 0; j < problem.columns; ++j) {
        const double slope = problem.design(j, 0);
        const bool known = problem.complete() || problem.observed(i, j) > 0;
        if (!known || !(std::abs(slope) > least)) continue;
        votes.emplace_back(problem.values(i, j) / slope, level_ / std::abs(slope));
      }
      if (!votes.empty()) factors[mode](i, 0) = winner(votes);
    }
  }

  static double winner(std::vector<std::pair<double, double>>& votes) {
    std::ranges::sort(votes);
    std::size_t most = 0;
    double best = 0;
    for (const auto& [vote, width] : votes) {
      const auto by_value = [](const auto& a, double b) { return a.first < b; };
      const auto from = std::lower_bound(votes.begin(), votes.end(), vote - width, by_value);
      const auto to = std::lower_bound(from, votes.end(), vote + width, by_value);
      const auto inside = static_cast<std::size_t>(to - from);
      if (inside > most) {
        most = inside;
        best = vote;
      }
    }
    return best;
  }

  const DenseCore& rest_;
  double level_;
  Rng& rng_;
  std::vector<Index> sparse_;
};

Factors embedded(const Shape& shape, const IndexSets& sets, const Factors& inside) {
  Factors factors;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    Matrix factor = Matrix::Zero(shape[static_cast<int>(m)], inside[m].cols());
    factor(sets[m], Eigen::all) = inside[m];
    factors.push_back(std::move(factor));
  }
  return factors;
}

/// A box that is larger than a core needs to be is represented by some of its rows.
IndexSets part_of_box(const IndexSets& sets, int count, Rng& rng) {
  std::vector<Index> extents;
  for (const auto& set : sets) extents.push_back(std::ssize(set));
  const Shape box(extents);
  const Shape usual = core_shape(box, count, levels::scheme::scout_side);
  if (box.entries() <= 2 * usual.entries()) return sets;
  IndexSets part = draw_indices(box, usual, rng);
  for (std::size_t m = 0; m < part.size(); ++m) {
    for (Index& i : part[m]) i = sets[m][i];
  }
  return part;
}

/// A large box decides by one start, a small one may need more.
int starts_for(const Shape& box) {
  return box.entries() > limits::large_box ? 1 : levels::ladder::rungs;
}

Index fitted_sparse(const DenseCore& rest, const Factors& factors, double level) {
  const Entries L = evaluate(factors);
  Index count = 0;
  for (Index i = 0; i < L.size(); ++i) {
    count += rest.is_observed(i) && std::abs(rest.values[i]) >= level &&
                     std::abs(rest.values[i] - L[i]) < level
                 ? 1
                 : 0;
  }
  return count;
}

}  // namespace

Factors components_in_box(const Window& window, const Entries& rest, const Box& box, int count,
                          Rng& rng, Monitor& monitor) {
  const IndexSets sets = part_of_box(box.sets, count, rng);
  const DenseCore part = rest_in_box(window, rest, sets);
  std::vector<Index> positions = sparse_positions(part, window.level);
  const Index sparse = std::ssize(positions);
  Factors best;
  double most = limits::least_inside * static_cast<double>(sparse);
  const auto consider = [&](const Factors& found) {
    if (found.empty() || found.front().cols() == 0) return;
    const auto fitted = static_cast<double>(fitted_sparse(part, found, window.level));
    if (fitted <= most || fitted <= static_cast<double>(unknowns_of_components(found))) return;
    most = fitted;
    best = found;
  };
  if (count == 1) consider(FibreFit(part, std::move(positions), window.level, rng).best());
  // No other component can fit more than one that fits the majority.
  if (count > 1 || 2 * most < static_cast<double>(sparse)) {
    const double scale = power_of_two_near(part.values.abs().maxCoeff());
    DenseCore scaled = part;
    scaled.values /= scale;
    CoreSolution solution =
        solve_core(scaled, count, {.reduce = false, .rungs = starts_for(part.shape)}, rng, monitor);
    solution.factors.front() *= scale;
    consider(live_components(solution.factors, window.level));
  }
  return best.empty() ? best : embedded(window.core.shape, sets, best);
}

std::optional<bool> has_proportional_slices(const Window& window, const Entries& rest,
                                            const Box& box) {
  DenseCore part = rest_in_box(window, rest, box.sets);
  part.values *= (part.values.abs() >= window.level).cast<double>();
  if (!part.complete()) part.values *= part.observed;
  for (int mode = 0; mode < part.shape.order(); ++mode) {
    const Eigen::ArrayXd in_fibre =
        (unfold(part.shape, part.values, mode).array() != 0).cast<double>().colwise().sum();
    if ((in_fibre * (in_fibre - 1)).sum() / 2 > static_cast<double>(limits::most_pairs_of_sparse)) {
      return std::nullopt;
    }
  }
  return has_proportional_rows(part, window.ratio_rounding);
}

Factors rival_of_component(const Window& window, const Factors& factors, Index component,
                           Rng& rng) {
  IndexSets support;
  for (const Matrix& factor : factors) {
    const auto sizes = factor.col(component).cwiseAbs();
    const double least = levels::zero_entry * sizes.maxCoeff();
    std::vector<Index>& set = support.emplace_back();
    for (Index i = 0; i < factor.rows(); ++i) {
      if (sizes[i] > least) set.push_back(i);
    }
  }
  const IndexSets sets = part_of_box(support, 1, rng);
  const DenseCore left = rest_in_box(window, residual(window.core, factors), sets);
  std::vector<Index> sparse = sparse_positions(left, window.level);
  const Index entries = left.complete() ? left.shape.entries() : std::ssize(left.observed);
  if (static_cast<double>(sparse.size()) < limits::contested * static_cast<double>(entries)) {
    return {};
  }
  const Factors others = without_component(factors, component);
  const DenseCore rest = rest_in_box(window, residual(window.core, others), sets);
  const Factors rival = FibreFit(rest, std::move(sparse), window.level, rng).best();
  return rival.empty() ? rival : joined(others, embedded(window.core.shape, sets, rival));
}

}  // namespace sunder::robust
