#include "engine/gather/gather.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "engine/gather/gather_lists.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

int team_of(int threads) { return threads > 0 ? threads : omp_get_num_procs(); }

}  // namespace

DenseTensor gather(const TensorView& tensor, const std::vector<std::vector<Index>>& indices,
                   ScalarType type, int threads) {
  const auto order = static_cast<std::size_t>(tensor.order());
  const std::vector<std::vector<Index>> lists = checked_lists(tensor.shape(), indices, type);
  DenseTensor result(shape_of(lists), type);

  // Walk memory in its own order, slowest mode outside and fastest inside, wherever the result
  // goes.
  const auto modes = tensor.modes_by_stride();
  const auto fast = static_cast<std::size_t>(modes[order - 1]);
  const std::vector<Index>& inner = lists[fast];
  const TensorView out = result.view();
  const Index lines = result.entries() / std::max<Index>(std::ssize(inner), 1);
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
          const std::vector<Index>& list = lists[mode];
          const auto extent = std::ssize(list);
          source += list[rest % extent] * tensor.stride(mode);
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
  const std::vector<Index> row_list = checked_list({rows.begin(), rows.end()}, shape[mode], mode);
  std::vector<Index> offsets;
  for (const ModeIndices& sample : samples) {
    offsets.push_back(checked_offset(tensor, sample, mode));
  }
  std::vector<std::size_t> by_memory(offsets.size());
  std::iota(by_memory.begin(), by_memory.end(), std::size_t{0});
  std::sort(by_memory.begin(), by_memory.end(),
            [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });

  const auto row_count = std::ssize(row_list);
  const auto count = std::ssize(samples);
  Matrix result(row_count, count);
  const Index stride = tensor.stride(mode);
  // A fibre of the fastest mode is one run of memory. Otherwise read row by row: all samples at one
  // index of the mode, in memory order.
  const bool along_fibre = mode == tensor.modes_by_stride()[shape.order() - 1];
  with_scalar_type(tensor.type(), [&]<class From>() {
    const From* from = tensor.typed<From>();
    if (along_fibre) {
#pragma omp parallel for schedule(static) num_threads(team_of(threads))
      for (Index k = 0; k < count; ++k) {
        const std::size_t c = by_memory[k];
        for (Index i = 0; i < row_count; ++i) {
          result(i, static_cast<Index>(c)) =
              static_cast<double>(from[offsets[c] + row_list[i] * stride]);
        }
      }
    } else {
#pragma omp parallel for schedule(static) num_threads(team_of(threads))
      for (Index i = 0; i < row_count; ++i) {
        const From* row = from + row_list[i] * stride;
        for (const std::size_t c : by_memory) {
          result(i, static_cast<Index>(c)) = static_cast<double>(row[offsets[c]]);
        }
      }
    }
  });
  return result;
}

}  // namespace sunder
