#pragma once
/// Supports that are a union of blocks, with the blocks known.

#include <algorithm>
#include <numeric>
#include <set>

#include "sunder/core/rng.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::testing {

using IndexSets = std::vector<std::vector<Index>>;  // one set for each mode

/// `count` of the indices below `extent`, ascending.
inline std::vector<Index> random_subset(Index extent, Index count, Rng& rng) {
  std::vector<Index> all(extent);
  std::iota(all.begin(), all.end(), Index{0});
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    std::swap(all[k], all[k + rng.below(all.size() - k)]);
  }
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

/// Blocks with so many indices in each mode; symmetric: the same ones in all.
inline std::vector<IndexSets> random_blocks(const Shape& shape, int count,
                                            const std::vector<Index>& extents, bool symmetric,
                                            std::uint64_t seed) {
  Rng rng(seed, 7);
  std::vector<IndexSets> blocks(count);
  for (IndexSets& block : blocks) {
    for (int mode = 0; mode < shape.order(); ++mode) {
      block.push_back(symmetric && mode > 0 ? block.front()
                                            : random_subset(shape[mode], extents[mode], rng));
    }
  }
  return blocks;
}

inline std::set<Index> cells_of(const Shape& shape, const IndexSets& block) {
  std::vector<Index> cells = {0};
  for (int mode = 0; mode < shape.order(); ++mode) {
    std::vector<Index> longer;
    for (const Index cell : cells) {
      for (const Index i : block[mode]) {
        longer.push_back(cell * shape[mode] + i);
      }
    }
    cells = std::move(longer);
  }
  return {cells.begin(), cells.end()};
}

/// Values of either sign between 1/2 and 1 on the given positions.
inline SparseTensor with_values(const Shape& shape, const std::set<Index>& positions,
                                std::uint64_t seed) {
  Rng rng(seed, 8);
  std::vector<double> values;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    values.push_back(rng.uniform(0.5, 1) * (rng.bernoulli(0.5) ? 1 : -1));
  }
  return {shape, {positions.begin(), positions.end()}, std::move(values)};
}

inline SparseTensor union_of(const Shape& shape, const std::vector<IndexSets>& blocks,
                             std::uint64_t seed) {
  std::set<Index> positions;
  for (const IndexSets& block : blocks) positions.merge(cells_of(shape, block));
  return with_values(shape, positions, seed);
}

/// Every entry with the same probability.
inline SparseTensor scattered(const Shape& shape, double density, std::uint64_t seed) {
  Rng rng(seed, 9);
  std::set<Index> positions;
  for (Index p = 0; p < shape.entries(); ++p) {
    if (rng.bernoulli(density)) positions.insert(positions.end(), p);
  }
  return with_values(shape, positions, seed);
}

}  // namespace sunder::testing
