#include <algorithm>

#include "engine/gather/gather.hpp"
#include "engine/gather/gather_lists.hpp"

namespace sunder {

namespace {

/// The offset of a requested entry, and its place in the result.
struct RequestedEntry {
  Index offset = 0;
  Index target = 0;
};

/// Reads the requested entries, whose offsets ascend, and calls put(target, value). It reads in
/// batches to bound the memory; each process reads the entries in its share of the tensor.
template <class Put>
void fetch(Source& source, const Communicator& communicator,
           const std::vector<RequestedEntry>& batch, Put&& put) {
  std::vector<Index> offsets;
  offsets.reserve(batch.size());
  for (const RequestedEntry& wanted : batch) offsets.push_back(wanted.offset);
  std::vector<double> values(batch.size());
  const Index entries = source.shape().entries();
  // In a view with gaps or negative strides, offsets lie outside 0 .. entries; the first and the
  // last process read those too.
  const auto first_of = [&](int rank) {
    if (rank == 0) return std::ptrdiff_t{0};
    if (rank == communicator.size()) return static_cast<std::ptrdiff_t>(offsets.size());
    const Index offset = entries / communicator.size() * rank +
                         entries % communicator.size() * rank / communicator.size();
    return std::lower_bound(offsets.begin(), offsets.end(), offset) - offsets.begin();
  };
  const auto part_of = [&](auto all, int rank) {
    const auto begin = static_cast<std::size_t>(first_of(rank));
    return all.subspan(begin, static_cast<std::size_t>(first_of(rank + 1)) - begin);
  };
  const std::span<double> all(values);
  communicator.together([&] {
    source.read_at(part_of(std::span<const Index>(offsets), communicator.rank()),
                   part_of(all, communicator.rank()));
  });
  for (int rank = 0; rank < communicator.size(); ++rank) {
    communicator.broadcast(part_of(all, rank), rank);
  }
  for (std::size_t k = 0; k < batch.size(); ++k) put(batch[k].target, values[k]);
}

constexpr std::size_t batch_entries = std::size_t{1} << 20;

void sort_by_offset(std::vector<RequestedEntry>& wanted) {
  std::sort(wanted.begin(), wanted.end(),
            [](const RequestedEntry& a, const RequestedEntry& b) { return a.offset < b.offset; });
}

}  // namespace

DenseTensor gather(Source& source, const Communicator& communicator,
                   const std::vector<std::vector<Index>>& indices, ScalarType type) {
  const TensorView& layout = source.layout();
  const std::vector<std::vector<Index>> lists = checked_lists(layout.shape(), indices, type);
  DenseTensor result(shape_of(lists), type);
  const TensorView out = result.view();
  const auto modes = layout.modes_by_stride();
  with_scalar_type(type, [&]<class To>() {
    To* to = static_cast<To*>(result.data());
    const auto put = [&](Index target, double value) { to[target] = static_cast<To>(value); };
    std::vector<RequestedEntry> batch;
    for (Index number = 0; number < result.entries(); ++number) {
      // With the slowest mode of the storage outside and the fastest inside, offsets ascend.
      Index rest = number;
      RequestedEntry wanted;
      for (auto k = static_cast<std::size_t>(layout.order()); k-- > 0;) {
        const std::vector<Index>& list = lists[modes[k]];
        const auto extent = std::ssize(list);
        wanted.offset += list[rest % extent] * layout.stride(modes[k]);
        wanted.target += rest % extent * out.stride(modes[k]);
        rest /= extent;
      }
      batch.push_back(wanted);
      if (batch.size() < batch_entries) continue;
      fetch(source, communicator, batch, put);
      batch.clear();
    }
    fetch(source, communicator, batch, put);
  });
  return result;
}

Matrix gather_fibres(Source& source, const Communicator& communicator, int mode,
                     std::span<const ModeIndices> samples, std::span<const Index> rows) {
  const TensorView& layout = source.layout();
  const std::vector<Index> row_list =
      checked_list({rows.begin(), rows.end()}, layout.shape()[mode], mode);
  const auto row_count = std::ssize(row_list);
  Matrix result(row_count, std::ssize(samples));
  std::vector<RequestedEntry> wanted;
  wanted.reserve(result.size());
  for (std::size_t c = 0; c < samples.size(); ++c) {
    const Index offset = checked_offset(layout, samples[c], mode);
    for (Index i = 0; i < row_count; ++i) {
      wanted.push_back(
          {offset + row_list[i] * layout.stride(mode), i + static_cast<Index>(c) * row_count});
    }
  }
  sort_by_offset(wanted);
  fetch(source, communicator, wanted,
        [&](Index target, double value) { result.data()[target] = value; });
  return result;
}

std::vector<double> gather_entries(Source& source, const Communicator& communicator,
                                   std::span<const ModeIndices> samples) {
  std::vector<RequestedEntry> wanted;
  for (const ModeIndices& sample : samples) {
    wanted.push_back({checked_offset(source.layout(), sample), std::ssize(wanted)});
  }
  sort_by_offset(wanted);
  std::vector<double> result(samples.size());
  fetch(source, communicator, wanted, [&](Index target, double value) { result[target] = value; });
  return result;
}

}  // namespace sunder
