#include "algorithms/robust_cp/core/sampling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algorithms/robust_cp/levels/core.hpp"
#include "core/random_order.hpp"
#include "core/statistics.hpp"
#include "sunder/core/error.hpp"

namespace sunder::robust {

namespace sampling = levels::sampling;

Index least_extent(int rank) {
  return sampling::extent_per_component * rank + sampling::extent_beyond;
}

Shape core_shape(const Shape& shape, int rank, Index side) {
  const double wanted =
      std::pow(static_cast<double>(side), sampling::order_of_side / shape.order());
  const Index least = std::max<Index>(static_cast<Index>(std::ceil(wanted)), least_extent(rank));
  const double volume = std::pow(static_cast<double>(least), shape.order());
  std::vector<Index> extents;
  for (const Index extent : shape) extents.push_back(std::min(extent, least));
  const auto product = [&] {
    return std::accumulate(extents.begin(), extents.end(), 1.0,
                           [](double p, Index n) { return p * static_cast<double>(n); });
  };
  for (int round = 0; round < shape.order() && product() < volume; ++round) {
    const auto growing = [&](int mode) { return extents[mode] < shape[mode]; };
    int modes = 0;
    for (int mode = 0; mode < shape.order(); ++mode) modes += growing(mode) ? 1 : 0;
    if (modes == 0) break;
    const double ratio = std::pow(volume / product(), 1.0 / modes);
    for (int mode = 0; mode < shape.order(); ++mode) {
      if (!growing(mode)) continue;
      Index& extent = extents[mode];
      extent =
          std::min(shape[mode], static_cast<Index>(std::ceil(static_cast<double>(extent) * ratio)));
    }
  }
  return Shape(extents);
}

IndexSets draw_indices(const Shape& shape, const Shape& core, Rng& rng) {
  IndexSets sets;
  for (int mode = 0; mode < shape.order(); ++mode) {
    sets.push_back(draw_distinct(shape[mode], core[mode], rng));
    std::sort(sets.back().begin(), sets.back().end());
  }
  return sets;
}

IndexSets draw_shared_indices(const Shape& shape, const Shape& core,
                              const ModeConstraints& constraints, Rng& rng) {
  IndexSets sets = draw_indices(shape, core, rng);
  for (int mode = 0; mode < shape.order(); ++mode) {
    sets[mode] = sets[constraints.leader(mode)];
  }
  return sets;
}

namespace {

[[noreturn]] void refuse_infinite(const ModeIndices& index, int order) {
  throw InputError(
      fmt::format("the entry at index ({}) is infinite: entries must be finite, or NaN where they "
                  "are missing; replace it by NaN or by a number",
                  fmt::join(index.begin(), index.begin() + order, ", ")));
}

/// Bits that went astray make numbers like 1e300, whose squares overflow. An error far beyond
/// everything else is still one at a smaller size.
void bound(Entries& values) {
  if (!(values.abs().maxCoeff() > sampling::astray)) return;
  std::vector<double> sizes;
  for (const double x : values) {
    if (x != 0) sizes.push_back(std::abs(x));
  }
  const double largest = sampling::far_beyond * quantile(sizes, 0.5);
  values = values.max(-largest).min(largest);
}

/// NaN means missing; infinite entries are refused.
void mark_missing(const IndexSets& sets, DenseCore& core) {
  core.observed = Entries::Ones(core.values.size());
  for (Index i = 0; i < core.values.size(); ++i) {
    if (std::isfinite(core.values[i])) continue;
    if (std::isinf(core.values[i])) {
      ModeIndices index = core.shape.unravel(i);
      for (std::size_t m = 0; m < sets.size(); ++m) {
        index[m] = sets[m][index[m]];
      }
      refuse_infinite(index, core.shape.order());
    }
    core.observed[i] = 0;
    core.values[i] = 0;
  }
}

}  // namespace

DenseCore gather_core(Engine& engine, const IndexSets& sets) {
  const DenseTensor part = engine.gather(sets);
  DenseCore core;
  core.shape = part.shape();
  core.threads = engine.threads();
  const std::span<const double> values = part.typed<double>();
  core.values = Eigen::Map<const Entries>(values.data(), part.entries());
  if (!core.values.allFinite()) mark_missing(sets, core);
  bound(core.values);
  return core;
}

RowProblem gather_rows(Engine& engine, const IndexSets& sets, const Factors& core, int mode,
                       double scale, std::span<const Index> columns, std::span<const Index> rows) {
  const int order = engine.shape().order();
  Index all = 1;
  for (int m = 0; m < order; ++m) {
    if (m != mode) all *= std::ssize(sets[m]);
  }
  const Index count = columns.empty() ? all : std::ssize(columns);
  const Index row_count = rows.empty() ? engine.shape()[mode] : std::ssize(rows);
  RowProblem problem(row_count, count, core.front().cols());
  std::vector<ModeIndices> samples(count);
  for (Index c = 0; c < count; ++c) {
    Index column = columns.empty() ? c : columns[c];
    auto design = problem.design.row(c);
    design.setOnes();
    for (int m = order - 1; m >= 0; --m) {  // the last mode is the fastest
      if (m == mode) continue;
      const auto& set = sets[m];
      const auto extent = std::ssize(set);
      const Index k = column % extent;
      column /= extent;
      samples[c][m] = set[k];
      design.array() *= core[m].row(k).array();
    }
  }
  const Matrix fibres = engine.gather_fibres(mode, samples, rows);
  for (Index c = 0; c < count; ++c) {
    for (Index i = 0; i < row_count; ++i) {
      if (std::isinf(fibres(i, c))) {
        ModeIndices at = samples[c];
        at[mode] = rows.empty() ? i : rows[i];
        refuse_infinite(at, order);
      }
      problem.set(i, c, fibres(i, c) / scale);
    }
  }
  problem.values = problem.values.cwiseMax(-sampling::far_beyond).cwiseMin(sampling::far_beyond);
  return problem;
}

}  // namespace sunder::robust
