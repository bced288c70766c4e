#include "sunder/data/planted.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/region_failure.hpp"
#include "data/planted_entries.hpp"
#include "data/planted_signal.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// A split of a tensor into pieces that are contiguous in C order and short enough for a cache: one
/// index of each mode before `mode_`, up to `length_` indices of that mode, and all indices of the
/// later modes. The split depends only on the shape, never on the number of threads.
class Tiling {
 public:
  explicit Tiling(const Shape& shape) : shape_(shape), mode_(shape.order() - 1) {
    constexpr Index target = 1 << 16;
    while (mode_ > 0 && inner_ * shape_[mode_] <= target) inner_ *= shape_[mode_--];
    length_ = std::clamp(target / inner_, Index{1}, shape_[mode_]);
    per_row_ = (shape_[mode_] + length_ - 1) / length_;
  }

  Index count() const { return shape_.entries() / (inner_ * shape_[mode_]) * per_row_; }

  struct Tile {
    ModeIndices begin{};
    Shape extents;
    Index first = 0;  ///< position of its first entry
  };
  Tile operator[](Index number) const {
    Tile tile;
    const Index from = number % per_row_ * length_;
    tile.first = (number / per_row_ * shape_[mode_] + from) * inner_;
    tile.begin = shape_.unravel(tile.first);
    ModeIndices extents{};
    extents.fill(1);
    std::copy(shape_.begin() + mode_, shape_.end(), extents.begin() + mode_);
    extents[mode_] = std::min(length_, shape_[mode_] - from);
    tile.extents =
        Shape(std::span<const Index>(extents.data(), static_cast<std::size_t>(shape_.order())));
    return tile;
  }

 private:
  Shape shape_;
  int mode_;
  Index inner_ = 1;    ///< entries in all modes after mode_
  Index length_ = 1;   ///< indices of mode_ per tile
  Index per_row_ = 1;  ///< tiles side by side along mode_
};

/// Writes one tile of T to `out`; values are rounded to the type of the tensor only at the end.
void plant_tile(const Tiling::Tile& tile, const CpModel& low_rank, const EntryModel& entries,
                ScalarType type, void* out, SparseRun& sparse) {
  const auto size = static_cast<std::size_t>(tile.extents.entries());
  const auto fill = [&](std::span<double> to) {
    low_rank.evaluate(tile.begin, tile.extents, to);
    entries.apply(tile.first, to, sparse);
  };
  if (type == ScalarType::f64) return fill({static_cast<double*>(out), size});
  std::vector<double> wide(size);
  fill(wide);
  std::transform(wide.begin(), wide.end(), static_cast<float*>(out),
                 [](double x) { return static_cast<float>(x); });
}

/// Room returns the memory for the entries from `first` on; Done is called when they are written.
using Room = std::function<std::byte*(Index first, Index count)>;
using Done = std::function<void(Index count, const std::vector<SparseRun>& sparse)>;

/// Generates all tiles in order, some at a time.
void plant(const PlantedOptions& options, const PlantedSignal& signal, const Room& room,
           const Done& done, const ProgressCallback& progress) {
  const CpModel& low_rank = signal.low_rank;
  EntryModel entries(options, signal);
  entries.prepare_saturation(low_rank);
  const Tiling tiling(options.shape);
  const auto entry_bytes = static_cast<Index>(size_of(options.type));
  constexpr Index tiles_per_report = 32;
  for (Index begin = 0; begin < tiling.count(); begin += tiles_per_report) {
    report_or_throw(progress, "planting",
                    static_cast<double>(begin) / static_cast<double>(tiling.count()));
    const Index end = std::min(begin + tiles_per_report, tiling.count());
    const Index first = tiling[begin].first;
    const Index count =
        (end == tiling.count() ? options.shape.entries() : tiling[end].first) - first;
    std::byte* const out = room(first, count);
    std::vector<SparseRun> runs(end - begin);
    RegionFailure failure;
#pragma omp parallel for schedule(dynamic)
    for (Index number = begin; number < end; ++number) {
      failure.guard([&] {
        const Tiling::Tile tile = tiling[number];
        plant_tile(tile, low_rank, entries, options.type, out + (tile.first - first) * entry_bytes,
                   runs[number - begin]);
      });
    }
    failure.rethrow();
    done(count, runs);
  }
}

/// Makes the tensor exactly symmetric, because rounding differs in the last bit: every entry
/// becomes the one with the sorted index. Sorted entries are read and never written, so threads may
/// work in any order.
template <class T>
void mirror(const Shape& shape, std::span<T> entries) {
#pragma omp parallel for schedule(static)
  for (Index position = 0; position < shape.entries(); ++position) {
    const Index source = sorted_position(shape, shape.unravel(position));
    if (source == position) continue;
    entries[position] = entries[source];
  }
}

}  // namespace

PlantedTensor generate_planted(const PlantedOptions& options, const ProgressCallback& progress) {
  validate(options);
  PlantedTensor planted;
  PlantedSignal signal = planted_signal(options);
  planted.tensor = DenseTensor(options.shape, options.type);
  const auto entry_bytes = static_cast<Index>(size_of(options.type));
  SparseRun all;
  plant(
      options, signal,
      [&](Index first, Index) {
        return static_cast<std::byte*>(planted.tensor.data()) + first * entry_bytes;
      },
      [&](Index, const std::vector<SparseRun>& runs) { all.append(runs); }, progress);
  planted.low_rank = std::move(signal.low_rank);
  if (options.symmetric) {
    with_scalar_type(options.type,
                     [&]<class T>() { mirror(options.shape, planted.tensor.typed<T>()); });
  }
  planted.sparse = SparseTensor(options.shape, std::move(all.positions), std::move(all.values));
  report_or_throw(progress, "planting", 1);
  return planted;
}

CpModel generate_planted(const PlantedOptions& options,
                         const std::function<void(const TensorView& part)>& entries,
                         SparseReceiver& sparse, const ProgressCallback& progress) {
  validate(options);
  if (options.symmetric) {
    throw OptionError("`symmetric` makes a tensor in memory only: it must fit there");
  }
  PlantedSignal signal = planted_signal(options);
  std::vector<std::byte> part;
  sparse.begin(options.shape, true);
  plant(
      options, signal,
      [&](Index, Index count) {
        part.resize(static_cast<std::size_t>(count) * size_of(options.type));
        return part.data();
      },
      [&](Index count, const std::vector<SparseRun>& runs) {
        entries(TensorView(part.data(), options.type, Shape{count}));
        for (const SparseRun& run : runs) sparse.add(run.positions, run.values);
      },
      progress);
  report_or_throw(progress, "planting", 1);
  return std::move(signal.low_rank);
}

}  // namespace sunder
