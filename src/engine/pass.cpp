#include "engine/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>

#include "engine/chunk_worker.hpp"
#include "engine/source.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

ModeSet only_mode(int mode) { return ModeSet{}.set(static_cast<std::size_t>(mode)); }

ModeSet all_modes(int order) {
  ModeSet modes;
  for (int mode = 0; mode < order; ++mode) modes.set(static_cast<std::size_t>(mode));
  return modes;
}

double rounding_of(ScalarType storage, Precision precision) {
  const bool single = storage == ScalarType::f32 || precision == Precision::f32;
  return (single ? double{std::numeric_limits<float>::epsilon()}
                 : std::numeric_limits<double>::epsilon()) /
         2;
}

bool finds_in_order(const TensorView& tensor) {
  const auto modes = tensor.modes_by_stride();
  return std::is_sorted(modes.begin(), modes.begin() + tensor.order()) &&
         tensor.shape()[tensor.order() - 1] <= most_columns_in_order;
}

SliceStatistics::SliceStatistics(Index extent, SliceDetail detail)
    : observed(static_cast<std::size_t>(extent)),
      fitted(observed.size()),
      kept(detail == SliceDetail::full ? observed.size() : 0),
      kept_square_sum(kept.size()) {}

namespace {

void require_fitting(const Shape& shape, const PassRequest& request) {
  const auto expect = [&](const char* what, const Shape& given) {
    if (given == shape) return;
    throw InputError(fmt::format("the {} is {}, but the tensor is {}", what, to_string(given),
                                 to_string(shape)));
  };
  expect("model", request.model->shape());
  if (request.probe != nullptr) {
    std::vector<Index> extents;
    for (const Matrix& factor : *request.probe) extents.push_back(factor.rows());
    expect("probe", Shape(std::span<const Index>(extents)));
  }
  if (request.alive != nullptr) {
    std::vector<Index> extents;
    for (const auto& mode : *request.alive) extents.push_back(static_cast<Index>(mode.size()));
    expect("list of alive indices", Shape(std::span<const Index>(extents)));
  }
  if (request.mask == nullptr) return;
  expect("mask", request.mask->shape());
  if (request.mask->type() != ScalarType::u8) {
    throw InputError(
        fmt::format("a mask must be of type u8, not {}", to_string(request.mask->type())));
  }
}

/// The result of a pass as its chunks come in.
class Collected {
 public:
  Collected(const Shape& shape, const PassRequest& request) : shape_(shape), request_(request) {
    const Index rank =
        request.probe != nullptr ? request.probe->front().cols() : request.model->rank();
    result_.mttkrp.resize(static_cast<std::size_t>(shape.order()));
    for (int mode = 0; mode < shape.order(); ++mode) {
      const auto at = static_cast<std::size_t>(mode);
      if (request.modes[at]) result_.mttkrp[at] = Matrix::Zero(shape[mode], rank);
      if (request.slice_statistics != SliceDetail::none) {
        result_.slices.emplace_back(shape[mode], request.slice_statistics);
      }
    }
  }

  void add(const Tiling& tiling, const Slab& slab, const Partial& partial) {
    infinite_at_ = std::min(infinite_at_, partial.infinite_at);
    for (int mode = 0; mode < tiling.order(); ++mode) {
      const auto at = static_cast<std::size_t>(mode);
      const int original = tiling.original_mode(mode);
      const Index first =
          (mode == 0 ? partial.first_slow_row : 0) + (original == slab.mode ? slab.begin : 0);
      const RowMatrix& share = partial.mttkrp[at];
      if (share.size() > 0) {
        result_.mttkrp[static_cast<std::size_t>(original)].middleRows(first, share.rows()) += share;
      }
      if (request_.slice_statistics != SliceDetail::none) {
        add_slices(partial.slices[at], first, result_.slices[static_cast<std::size_t>(original)]);
      }
    }
    sums_.add(partial.sums);
    if (partial.magnitudes) result_.statistics.magnitudes.add(*partial.magnitudes);
    add_found(partial.found);
  }

  PassResult finish() {
    refuse_infinite();
    PassStatistics& statistics = result_.statistics;
    if (request_.sums) {
      statistics.kept = sums_.kept;
      statistics.rejected = sums_.rejected;
      statistics.missing = sums_.missing;
      statistics.kept_square_sum = sums_.kept_square_sum;
      statistics.rejected_square_sum = sums_.rejected_square_sum;
      statistics.weight_sum = sums_.weight_sum;
      statistics.cost_sum = sums_.cost_sum;
    }
    statistics.data_square_sum = sums_.data_square_sum;
    statistics.data_max = sums_.data_max;
    if (request_.collect_sparse) {
      result_.sparse = SparseTensor(shape_, std::move(positions_), std::move(values_));
    }
    return std::move(result_);
  }

 private:
  static void add_slices(const SliceStatistics& from, Index first, SliceStatistics& to) {
    const auto begin = static_cast<std::size_t>(first);
    for (std::size_t i = 0; i < from.observed.size(); ++i) {
      to.observed[begin + i] += from.observed[i];
      to.fitted[begin + i] += from.fitted[i];
    }
    for (std::size_t i = 0; i < from.kept.size(); ++i) {
      to.kept[begin + i] += from.kept[i];
      to.kept_square_sum[begin + i] += from.kept_square_sum[i];
    }
  }

  void add_found(const FoundList& found) {
    const auto positions = found.positions();
    const auto values = found.values();
    if (request_.collect_sparse) {
      positions_.insert(positions_.end(), positions.begin(), positions.end());
      values_.insert(values_.end(), values.begin(), values.end());
    }
    if (request_.sparse_sink && !positions.empty()) request_.sparse_sink(positions, values);
  }

  void refuse_infinite() const {
    if (infinite_at_ == nowhere) return;
    const ModeIndices index = shape_.unravel(infinite_at_);
    throw InputError(fmt::format(
        "the entry at index ({}) is infinite{}: entries must be finite, or NaN where they "
        "are missing; replace it by NaN or by a number",
        fmt::join(index.begin(), index.begin() + shape_.order(), ", "),
        request_.precision == Precision::f32 ? " in single precision" : ""));
  }

  Shape shape_;
  const PassRequest& request_;
  PassResult result_;
  kernels::TileSums sums_;
  std::vector<Index> positions_;
  std::vector<double> values_;
  Index infinite_at_ = nowhere;
};

/// Adds chunks in their order, however they are finished. Memory holds only those that wait for a
/// slower predecessor, and not many: who is too far ahead waits. (The next chunk in turn never
/// does, because chunks are begun in their order.)
class OrderedSum {
 public:
  OrderedSum(const Tiling& tiling, const Slab& slab, int team, Collected& result)
      : tiling_(tiling), slab_(slab), most_ahead_(2 * team + 2), result_(result) {}

  void add(int chunk, Partial&& partial) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return chunk <= next_ + most_ahead_ || stopped_; });
    if (stopped_) return;
    waiting_.emplace(chunk, std::move(partial));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_;
         next = waiting_.erase(next), ++next_) {
      result_.add(tiling_, slab_, next->second);
      spare_.push_back(std::move(next->second.found));
    }
    turn_.notify_all();
  }

  /// Memory for the entries of S of another chunk, used before if possible.
  FoundList room() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return {};
    FoundList list = std::move(spare_.back());
    spare_.pop_back();
    return list;
  }

  /// Nobody waits any longer, and nothing is added.
  void stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    turn_.notify_all();
  }
  bool stopped() {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }

 private:
  const Tiling& tiling_;
  const Slab& slab_;
  const int most_ahead_;
  Collected& result_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::map<int, Partial> waiting_;
  std::vector<FoundList> spare_;
  int next_ = 0;
  bool stopped_ = false;
};

template <class Real>
void pass_over_slab(const Slab& slab, const Shape& whole, const PassRequest& request, int team,
                    const std::function<Continue()>& still_wanted, Collected& result) {
  const PassPlan<Real> plan(slab, whole, request);
  OrderedSum sum(plan.tiling, slab, team, result);
  std::exception_ptr failure;  // an exception may leave neither the loop nor the region
  const auto guarded = [&](auto&& work) {
    try {
      work();
    } catch (...) {
#pragma omp critical(sunder_pass_failure)
      failure = std::current_exception();
      sum.stop();
    }
  };
#pragma omp parallel num_threads(team)
  {
    std::unique_ptr<ChunkWorker<Real>> worker;
    guarded([&] { worker = std::make_unique<ChunkWorker<Real>>(plan); });
#pragma omp for schedule(dynamic, 1) nowait
    for (int chunk = 0; chunk < plan.tiling.chunks(); ++chunk) {
      if (sum.stopped()) continue;
      guarded([&] {
        sum.add(chunk, worker->run(chunk, sum.room()));
        // Thread 0 is the caller's own: callbacks never come from anywhere else.
        if (still_wanted && omp_get_thread_num() == 0 && still_wanted() == Continue::cancel) {
          sum.stop();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (sum.stopped()) throw Cancelled();
}

}  // namespace

PassResult pass(const Source& source, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted) {
  require_fitting(source.shape(), request);
  // Waking a thread costs more than a few thousand entries do.
  constexpr Index least_per_thread = 50'000;
  const Index useful = std::max<Index>(1, source.shape().entries() / least_per_thread);
  const auto team =
      static_cast<int>(std::min<Index>(threads > 0 ? threads : omp_get_num_procs(), useful));
  Collected result(source.shape(), request);
  for (Index number = 0; number < source.slabs(); ++number) {
    const Slab slab = source.slab(number);
    if (request.precision == Precision::f32) {
      pass_over_slab<float>(slab, source.shape(), request, team, still_wanted, result);
    } else {
      pass_over_slab<double>(slab, source.shape(), request, team, still_wanted, result);
    }
  }
  return result.finish();
}

PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted) {
  return pass(MemorySource(tensor), request, threads, still_wanted);
}

}  // namespace sunder
