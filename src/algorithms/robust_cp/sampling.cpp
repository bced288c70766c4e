#include "algorithms/robust_cp/sampling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sunder/core/error.hpp"

namespace sunder::robust {

Shape core_shape(const Shape& shape, int rank, Index side) {
  const double wanted = std::pow(static_cast<double>(side), 3.0 / shape.order());
  const Index least = std::max<Index>(static_cast<Index>(std::ceil(wanted)), 2 * rank + 10);
  const double volume = std::pow(static_cast<double>(least), shape.order());
  std::vector<Index> extents;
  for (const Index extent : shape) extents.push_back(std::min(extent, least));
  const auto product = [&] {
    return std::accumulate(extents.begin(), extents.end(), 1.0,
                           [](double p, Index n) { return p * static_cast<double>(n); });
  };
  for (int round = 0; round < shape.order() && product() < volume; ++round) {
    const auto growing = [&](int mode) {
      return extents[static_cast<std::size_t>(mode)] < shape[mode];
    };
    int modes = 0;
    for (int mode = 0; mode < shape.order(); ++mode) modes += growing(mode) ? 1 : 0;
    if (modes == 0) break;
    const double ratio = std::pow(volume / product(), 1.0 / modes);
    for (int mode = 0; mode < shape.order(); ++mode) {
      if (!growing(mode)) continue;
      Index& extent = extents[static_cast<std::size_t>(mode)];
      extent =
          std::min(shape[mode], static_cast<Index>(std::ceil(static_cast<double>(extent) * ratio)));
    }
  }
  return Shape(extents);
}

IndexSets draw_indices(const Shape& shape, const Shape& core, Rng& rng) {
  IndexSets sets;
  for (int mode = 0; mode < shape.order(); ++mode) {
    std::vector<Index> all(static_cast<std::size_t>(shape[mode]));
    std::iota(all.begin(), all.end(), Index{0});
    for (std::size_t k = 0; k < static_cast<std::size_t>(core[mode]); ++k) {
      std::swap(all[k], all[k + rng.below(all.size() - k)]);
    }
    all.resize(static_cast<std::size_t>(core[mode]));
    std::sort(all.begin(), all.end());
    sets.push_back(std::move(all));
  }
  return sets;
}

IndexSets with_whole_mode(IndexSets sets, int mode, Index extent) {
  std::vector<Index>& whole = sets[static_cast<std::size_t>(mode)];
  whole.resize(static_cast<std::size_t>(extent));
  std::iota(whole.begin(), whole.end(), Index{0});
  return sets;
}

namespace {

[[noreturn]] void refuse_infinite(const ModeIndices& index, int order) {
  throw InputError(
      fmt::format("the entry at index ({}) is infinite: entries must be finite, or NaN where they "
                  "are missing; replace it by NaN or by a number",
                  fmt::join(index.begin(), index.begin() + order, ", ")));
}

}  // namespace

DenseCore gather(const TensorView& tensor, const IndexSets& sets) {
  const int order = tensor.order();
  std::vector<Index> extents;
  for (const std::vector<Index>& set : sets) extents.push_back(static_cast<Index>(set.size()));
  DenseCore core;
  core.shape = Shape(extents);
  core.values.resize(core.shape.entries());
  const std::vector<Index>& columns = sets.back();
  const Index runs = core.shape.entries() / static_cast<Index>(columns.size());
  std::vector<Index> missing;
  with_scalar_type(tensor.type(), [&]<class T>() {
    for (Index run = 0; run < runs; ++run) {
      const Index first = run * static_cast<Index>(columns.size());
      ModeIndices index = core.shape.unravel(first);
      Index offset = 0;
      for (int mode = 0; mode + 1 < order; ++mode) {
        const auto m = static_cast<std::size_t>(mode);
        index[m] = sets[m][static_cast<std::size_t>(index[m])];
        offset += index[m] * tensor.stride(mode);
      }
      const T* row = tensor.typed<T>() + offset;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        double x = static_cast<double>(row[columns[k] * tensor.stride(order - 1)]);
        if (!std::isfinite(x)) {
          index[static_cast<std::size_t>(order - 1)] = columns[k];
          if (std::isinf(x)) refuse_infinite(index, order);
          missing.push_back(first + static_cast<Index>(k));
          x = 0;
        }
        core.values[first + static_cast<Index>(k)] = x;
      }
    }
  });
  if (!missing.empty()) {
    core.observed = Entries::Ones(core.values.size());
    for (const Index i : missing) core.observed[i] = 0;
  }
  return core;
}

}  // namespace sunder::robust
