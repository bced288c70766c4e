#include "algorithms/robust_cp/noise/part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::noise;

/// Squares in every slice of a mode. A mean of squares of fibre means: errors average out, signals
/// that several entries share do not.
Eigen::ArrayXd energies(const DenseCore& core, int mode) {
  const RowMatrix rows = unfold(core.shape, core.values, mode);
  const Index group = std::max<Index>(1, static_cast<Index>(std::sqrt(rows.cols())) / 4);
  const Index groups = rows.cols() / group;
  Eigen::ArrayXd energy = Eigen::ArrayXd::Zero(rows.rows());
  for (Index k = 0; k < groups; ++k) {
    energy += rows.middleCols(k * group, group).rowwise().mean().array().square();
  }
  return energy;
}

/// Whether few slices hold most of the energy: the participation ratio is 1 where all are equal.
bool is_concentrated(const Eigen::ArrayXd& energy) {
  const double sum = energy.sum();
  const auto slices = static_cast<double>(energy.size());
  return sum * sum < limits::concentrated * slices * energy.square().sum();
}

/// Distinct indices, each with a probability that grows with its weight (Efraimidis and Spirakis
/// 2006).
std::vector<Index> draw_weighted(const Eigen::ArrayXd& weights, Index count, Rng& rng) {
  std::vector<std::pair<double, Index>> keys;
  for (Index i = 0; i < weights.size(); ++i) {
    keys.emplace_back(std::log(rng.uniform() + 1e-300) / weights[i], i);
  }
  std::sort(keys.begin(), keys.end(), std::greater<>());
  std::vector<Index> drawn;
  for (Index k = 0; k < count; ++k) drawn.push_back(keys[k].second);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

IndexSets draw_part(const DenseCore& core, const Shape& extents, Rng& rng) {
  IndexSets sets = draw_indices(core.shape, extents, rng);
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    if (extents[mode] < core.shape[mode]) {
      draw_rows_by_energy({energies(core, mode)}, sets[mode], rng);
    }
  }
  return sets;
}

void draw_rows_by_energy(std::initializer_list<Eigen::ArrayXd> energies, std::vector<Index>& set,
                         Rng& rng) {
  const Index extent = energies.begin()->size();
  if (std::ssize(set) == extent) return;
  const double even = 1 / static_cast<double>(extent);
  const double share = (1 - limits::evenly_drawn) / static_cast<double>(energies.size());
  Eigen::ArrayXd weights = Eigen::ArrayXd::Constant(extent, limits::evenly_drawn * even);
  bool any = false;
  for (const Eigen::ArrayXd& energy : energies) {
    // Every slice has its share of noise and errors; what the poorest one has is not signal.
    const Eigen::ArrayXd excess = energy - energy.minCoeff();
    const bool concentrated = excess.sum() > 0 && is_concentrated(excess);
    any = any || concentrated;
    if (concentrated) {
      weights += share * excess / excess.sum();
    } else {
      weights += share * even;
    }
  }
  if (any) set = draw_weighted(weights, std::ssize(set), rng);
}

DenseCore part_of(const DenseCore& core, const IndexSets& sets) {
  DenseCore part;
  std::vector<Index> extents;
  for (const auto& set : sets) extents.push_back(std::ssize(set));
  part.shape = Shape(extents);
  part.threads = core.threads;
  part.lowest = core.lowest;
  part.highest = core.highest;
  part.values.resize(part.shape.entries());
  if (!core.complete()) part.observed.resize(part.shape.entries());
  for (Index i = 0; i < part.shape.entries(); ++i) {
    const ModeIndices at = part.shape.unravel(i);
    Index from = 0;
    for (int m = 0; m < part.shape.order(); ++m) from = from * core.shape[m] + sets[m][at[m]];
    part.values[i] = core.values[from];
    if (!core.complete()) part.observed[i] = core.observed[from];
  }
  return part;
}

}  // namespace sunder::robust
