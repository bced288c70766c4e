#include "algorithms/robust_cp/consensus/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "core/random_order.hpp"

namespace sunder::robust {

namespace {

/// Some of the rows on which a component is at work.
std::vector<Index> some_rows_of(const Eigen::Ref<const Vector>& column, Rng& rng) {
  std::vector<Index> support;
  for (Index i = 0; i < column.size(); ++i) {
    if (column[i] != 0) support.push_back(i);
  }
  shuffle(support, rng);
  support.resize(std::min(support.size(), levels::search::rows_of_component));
  return support;
}

}  // namespace

IndexSets all_indices(const Shape& shape) {
  IndexSets sets;
  for (const Index extent : shape) {
    std::vector<Index>& set = sets.emplace_back(extent);
    std::iota(set.begin(), set.end(), Index{0});
  }
  return sets;
}

Factors at(const Factors& factors, const IndexSets& sets) {
  Factors part;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    part.emplace_back(factors[m](sets[m], Eigen::all));
  }
  return part;
}

IndexSets rows_of_every_component(const Shape& shape, const ModeConstraints& constraints,
                                  const Factors& components, Rng& rng) {
  const auto rank = static_cast<int>(components.front().cols());
  const Shape usual = core_shape(shape, rank, levels::scheme::scout_side);
  if (2 * usual.entries() > shape.entries()) return all_indices(shape);
  IndexSets sets = draw_shared_indices(shape, usual, constraints, rng);
  for (int m = 0; m < shape.order(); ++m) {
    if (constraints.leader(m) != m) {
      sets[m] = sets[constraints.leader(m)];
      continue;
    }
    for (Index k = 0; k < rank; ++k) {
      const std::vector<Index> rows = some_rows_of(components[m].col(k), rng);
      sets[m].insert(sets[m].end(), rows.begin(), rows.end());
    }
    std::ranges::sort(sets[m]);
    const auto repeated = std::ranges::unique(sets[m]);
    sets[m].erase(repeated.begin(), repeated.end());
  }
  return sets;
}

std::optional<IndexSets> rows_with_most_of_sparse(const Shape& extents,
                                                  const ModeConstraints& constraints,
                                                  const std::vector<SliceStatistics>& slices) {
  IndexSets sets;
  int modes_that_stand_out = 0;
  for (int mode = 0; mode < extents.order(); ++mode) {
    const RowsOfSparse rows = rows_by_sparse(slices[mode]);
    modes_that_stand_out += rows.standing_out >= 2 ? 1 : 0;
    std::vector<Index> chosen(rows.order.begin(), rows.order.begin() + extents[mode]);
    std::ranges::sort(chosen);
    sets.push_back(std::move(chosen));
  }
  for (int mode = 0; mode < extents.order(); ++mode) {
    sets[mode] = sets[constraints.leader(mode)];
  }
  if (modes_that_stand_out < 2) return std::nullopt;
  return sets;
}

}  // namespace sunder::robust
