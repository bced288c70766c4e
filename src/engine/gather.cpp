#include "engine/gather.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

void require_within(Index index, Index extent, int mode) {
  if (index >= 0 && index < extent) return;
  throw InputError(fmt::format("index {} of mode {} is outside 0 .. {}", index, mode, extent - 1));
}

std::vector<Index> checked(const std::vector<Index>& indices, Index extent, int mode) {
  std::vector<Index> result = indices;
  if (result.empty()) {
    result.resize(static_cast<std::size_t>(extent));
    std::iota(result.begin(), result.end(), Index{0});
  }
  for (const Index index : result) require_within(index, extent, mode);
  if (!std::is_sorted(result.begin(), result.end())) {
    throw InputError(fmt::format("the indices of mode {} must be sorted", mode));
  }
  return result;
}

int team_of(int threads) { return threads > 0 ? threads : omp_get_num_procs(); }

}  // namespace

DenseTensor gather(const TensorView& tensor, const std::vector<std::vector<Index>>& indices,
                   ScalarType type, int threads) {
  const auto order = static_cast<std::size_t>(tensor.order());
  if (indices.size() != order) {
    throw InputError(fmt::format("{} lists of indices were given for a tensor of order {}",
                                 indices.size(), order));
  }
  if (type != ScalarType::f64 && type != ScalarType::f32) {
    throw InputError("a sub-tensor is gathered as f64 or f32");
  }
  std::vector<std::vector<Index>> lists;
  std::vector<Index> extents;
  for (std::size_t mode = 0; mode < order; ++mode) {
    const int m = static_cast<int>(mode);
    lists.push_back(checked(indices[mode], tensor.shape()[m], m));
    extents.push_back(static_cast<Index>(lists.back().size()));
  }
  DenseTensor result(Shape(std::span<const Index>(extents)), type);

  // The walk: slowest mode in memory outside, fastest inside; whatever its place in the result.
  const auto modes = tensor.modes_by_stride();
  const auto fast = static_cast<std::size_t>(modes[order - 1]);
  const std::vector<Index>& inner = lists[fast];
  const TensorView out = result.view();
  const Index lines = result.entries() / std::max<Index>(static_cast<Index>(inner.size()), 1);
  with_scalar_type(tensor.type(), [&]<class From>() {
    with_scalar_type(type, [&]<class To>() {
      const From* from = tensor.typed<From>();
      To* to = static_cast<To*>(result.data());
#pragma omp parallel for schedule(static) num_threads(team_of(threads))
      for (Index line = 0; line < lines; ++line) {
        Index rest = line;
        Index source = 0;
        Index target = 0;
        for (std::size_t k = order - 1; k-- > 0;) {
          const int mode = modes[k];
          const std::vector<Index>& list = lists[static_cast<std::size_t>(mode)];
          const auto extent = static_cast<Index>(list.size());
          source += list[static_cast<std::size_t>(rest % extent)] * tensor.stride(mode);
          target += rest % extent * out.stride(mode);
          rest /= extent;
        }
        const Index step = tensor.stride(static_cast<int>(fast));
        const Index to_step = out.stride(static_cast<int>(fast));
        for (std::size_t j = 0; j < inner.size(); ++j) {
          to[target + static_cast<Index>(j) * to_step] =
              static_cast<To>(from[source + inner[j] * step]);
        }
      }
    });
  });
  return result;
}

Matrix gather_fibres(const TensorView& tensor, int mode, std::span<const ModeIndices> samples,
                     std::span<const Index> rows, int threads) {
  const Shape& shape = tensor.shape();
  const std::vector<Index> row_list =
      checked(std::vector<Index>(rows.begin(), rows.end()), shape[mode], mode);
  std::vector<Index> offsets;
  for (const ModeIndices& sample : samples) {
    Index offset = 0;
    for (int other = 0; other < shape.order(); ++other) {
      if (other == mode) continue;
      const Index index = sample[static_cast<std::size_t>(other)];
      require_within(index, shape[other], other);
      offset += index * tensor.stride(other);
    }
    offsets.push_back(offset);
  }
  std::vector<std::size_t> by_memory(offsets.size());
  std::iota(by_memory.begin(), by_memory.end(), std::size_t{0});
  std::sort(by_memory.begin(), by_memory.end(),
            [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });

  const auto row_count = static_cast<Index>(row_list.size());
  const auto count = static_cast<Index>(samples.size());
  Matrix result(row_count, count);
  const Index stride = tensor.stride(mode);
  // A fibre of the fastest mode is one run of memory. Otherwise a row of samples is: all of them at
  // one index of the mode, in the order of memory.
  const bool along_fibre =
      mode == tensor.modes_by_stride()[static_cast<std::size_t>(shape.order() - 1)];
  with_scalar_type(tensor.type(), [&]<class From>() {
    const From* from = tensor.typed<From>();
    if (along_fibre) {
#pragma omp parallel for schedule(static) num_threads(team_of(threads))
      for (Index k = 0; k < count; ++k) {
        const std::size_t c = by_memory[static_cast<std::size_t>(k)];
        for (Index i = 0; i < row_count; ++i) {
          result(i, static_cast<Index>(c)) = static_cast<double>(
              from[offsets[c] + row_list[static_cast<std::size_t>(i)] * stride]);
        }
      }
    } else {
#pragma omp parallel for schedule(static) num_threads(team_of(threads))
      for (Index i = 0; i < row_count; ++i) {
        const From* row = from + row_list[static_cast<std::size_t>(i)] * stride;
        for (const std::size_t c : by_memory) {
          result(i, static_cast<Index>(c)) = static_cast<double>(row[offsets[c]]);
        }
      }
    }
  });
  return result;
}

}  // namespace sunder
