#include "engine/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
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

SliceStatistics::SliceStatistics(Index extent)
    : observed(static_cast<std::size_t>(extent)),
      fitted(observed.size()),
      kept(observed.size()),
      kept_square_sum(observed.size()) {}

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
      if (request.slice_statistics) result_.slices.emplace_back(shape[mode]);
    }
  }

  void add(const Tiling& tiling, const Slab& slab, Partial&& partial) {
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
      if (request_.slice_statistics) {
        add_slices(partial.slices[at], first, result_.slices[static_cast<std::size_t>(original)]);
      }
    }
    sums_.add(partial.sums);
    if (partial.magnitudes) result_.statistics.magnitudes.add(*partial.magnitudes);
    positions_.insert(positions_.end(), partial.positions.begin(), partial.positions.end());
    values_.insert(values_.end(), partial.values.begin(), partial.values.end());
  }

  PassResult finish() {
    refuse_infinite();
    PassStatistics& statistics = result_.statistics;
    statistics.kept = sums_.kept;
    statistics.rejected = sums_.rejected;
    statistics.missing = sums_.missing;
    statistics.kept_square_sum = sums_.kept_square_sum;
    statistics.rejected_square_sum = sums_.rejected_square_sum;
    statistics.weight_sum = sums_.weight_sum;
    statistics.cost_sum = sums_.cost_sum;
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
      to.kept[begin + i] += from.kept[i];
      to.kept_square_sum[begin + i] += from.kept_square_sum[i];
    }
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

/// Adds chunks in their order, however they are finished: memory holds only those that wait for a
/// slower predecessor.
class OrderedSum {
 public:
  OrderedSum(const Tiling& tiling, const Slab& slab, Collected& result)
      : tiling_(tiling), slab_(slab), result_(result) {}

  void add(int chunk, Partial&& partial) {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(chunk, std::move(partial));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_;
         next = waiting_.erase(next), ++next_) {
      result_.add(tiling_, slab_, std::move(next->second));
    }
  }

 private:
  const Tiling& tiling_;
  const Slab& slab_;
  Collected& result_;
  std::mutex mutex_;
  std::map<int, Partial> waiting_;
  int next_ = 0;
};

template <class Real>
void pass_over_slab(const Slab& slab, const Shape& whole, const PassRequest& request, int team,
                    const std::function<Continue()>& still_wanted, Collected& result) {
  const PassPlan<Real> plan(slab, whole, request);
  OrderedSum sum(plan.tiling, slab, result);
  std::atomic<bool> stop{false};
  std::exception_ptr failure;  // an exception must not leave the parallel region
#pragma omp parallel num_threads(team)
  {
    try {
      ChunkWorker<Real> worker(plan);
#pragma omp for schedule(dynamic, 1) nowait
      for (int chunk = 0; chunk < plan.tiling.chunks(); ++chunk) {
        if (stop.load(std::memory_order_relaxed)) continue;
        sum.add(chunk, worker.run(chunk));
        // Thread 0 is the caller's own: callbacks never come from anywhere else.
        if (still_wanted && omp_get_thread_num() == 0 && still_wanted() == Continue::cancel) {
          stop.store(true, std::memory_order_relaxed);
        }
      }
    } catch (...) {
#pragma omp critical(sunder_pass_failure)
      failure = std::current_exception();
      stop.store(true, std::memory_order_relaxed);
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (stop.load()) throw Cancelled();
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
