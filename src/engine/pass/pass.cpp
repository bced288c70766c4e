#include "engine/pass/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>

#include "core/region_failure.hpp"
#include "engine/pass/collected.hpp"
#include "engine/source/source.hpp"
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

void SliceStatistics::add(const SliceStatistics& some, Index first) {
  const auto begin = static_cast<std::size_t>(first);
  for (std::size_t i = 0; i < some.observed.size(); ++i) {
    observed[begin + i] += some.observed[i];
    fitted[begin + i] += some.fitted[i];
  }
  for (std::size_t i = 0; i < some.kept.size(); ++i) {
    kept[begin + i] += some.kept[i];
    kept_square_sum[begin + i] += some.kept_square_sum[i];
  }
}

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
    for (const auto& mode : *request.alive) extents.push_back(std::ssize(mode));
    expect("list of alive indices", Shape(std::span<const Index>(extents)));
  }
  if (request.mask == nullptr) return;
  expect("mask", request.mask->shape());
  if (request.mask->type() != ScalarType::u8) {
    throw InputError(
        fmt::format("a mask must be of type u8, not {}", to_string(request.mask->type())));
  }
}

/// Adds chunks in order, whatever the order in which they finish. Only chunks that wait for a
/// slower predecessor stay in memory, and few do: a thread that is too far ahead waits. (The next
/// chunk in turn never waits, because chunks are started in order.)
template <class Real>
class OrderedSum {
 public:
  /// `whole_group` receives the sums of each complete group; `found` receives each chunk's part of
  /// S.
  OrderedSum(const PassPlan<Real>& plan, int first_chunk, int team,
             std::function<void(Partial&&)> whole_group,
             std::function<void(const FoundList&)> found)
      : plan_(plan),
        most_ahead_(2 * team + 2),
        whole_group_(std::move(whole_group)),
        found_(std::move(found)),
        next_(first_chunk) {
    while (plan.tiling.first_chunk(group_) < first_chunk) ++group_;
  }

  void add(int chunk, Partial&& partial) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return chunk <= next_ + most_ahead_ || stopped_; });
    if (stopped_) return;
    waiting_.emplace(chunk, std::move(partial));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_;
         next = waiting_.erase(next), ++next_) {
      found_(next->second.found);
      spare_.push_back(std::move(next->second.found));
      add_in_turn(std::move(next->second));
    }
    turn_.notify_all();
  }

  /// Returns memory for the entries of S of another chunk, reusing old memory if possible.
  FoundList room() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return {};
    FoundList list = std::move(spare_.back());
    spare_.pop_back();
    return list;
  }

  /// Releases all waiting threads; nothing more is added.
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
  void add_in_turn(Partial&& partial) {
    const Tiling& tiling = plan_.tiling;
    const int begin = tiling.first_chunk(group_);
    const int end = tiling.first_chunk(group_ + 1);
    if (end - begin == 1) {
      sum_ = std::move(partial);
    } else {
      if (next_ == begin) {
        sum_ = empty_partial(plan_, tiling.tile(tiling.first_tile(begin)),
                             tiling.tile(tiling.first_tile(end) - 1));
      }
      sum_.add(partial);
    }
    if (next_ + 1 < end) return;
    whole_group_(std::move(sum_));
    ++group_;
  }

  const PassPlan<Real>& plan_;
  const int most_ahead_;
  std::function<void(Partial&&)> whole_group_;
  std::function<void(const FoundList&)> found_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::map<int, Partial> waiting_;
  std::vector<FoundList> spare_;
  int next_;
  int group_ = 0;  ///< the group of the next chunk
  Partial sum_;    ///< the sum of that group's chunks so far
  bool stopped_ = false;
};

/// Consecutive chunks whose entries lie in one window.
struct ChunkRun {
  int begin = 0;
  int end = 0;
  EntryRange entries;
};

std::vector<ChunkRun> runs_of(const Source& source, const Tiling& tiling, int begin, int end) {
  if (source.in_memory()) return {{begin, end, {}}};
  std::vector<ChunkRun> runs;
  for (int chunk = begin; chunk < end; ++chunk) {
    const EntryRange entries = tiling.entries(chunk);
    if (!runs.empty()) {
      ChunkRun& last = runs.back();
      const EntryRange both{last.entries.begin, std::max(last.entries.end, entries.end)};
      // A chunk of long rows may already lie in the window, however large the window is.
      if (both.size() <= source.window_entries() || both == last.entries) {
        last.end = chunk + 1;
        last.entries = both;
        continue;
      }
    }
    runs.push_back({chunk, chunk + 1, entries});
  }
  return runs;
}

/// Runs the chunks begin .. end of one process.
template <class Real>
class ChunkLoop {
 public:
  ChunkLoop(const PassPlan<Real>& plan, OrderedSum<Real>& sum, int team,
            const std::function<Continue()>& still_wanted)
      : plan_(plan), sum_(sum), team_(team), still_wanted_(still_wanted) {
    workers_.resize(team);
  }

  void run(Source& source, int begin, int end) {
    const std::vector<ChunkRun> runs = runs_of(source, plan_.tiling, begin, end);
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const EntryRange next = k + 1 < runs.size() ? runs[k + 1].entries : EntryRange{};
      run_window(runs[k], source.window(runs[k].entries, next));
    }
  }

 private:
  void run_window(const ChunkRun& run, const Window& window) {
    RegionFailure failure;
    const auto guarded = [&](auto&& work) {
      if (!failure.guard(work)) sum_.stop();
    };
#pragma omp parallel num_threads(team_)
    {
      const int thread = omp_get_thread_num();
      std::unique_ptr<ChunkWorker<Real>>& worker = workers_[thread];
      guarded([&] {
        if (!worker) worker = std::make_unique<ChunkWorker<Real>>(plan_);
      });
#pragma omp for schedule(dynamic, 1) nowait
      for (int chunk = run.begin; chunk < run.end; ++chunk) {
        if (sum_.stopped()) continue;
        guarded([&] {
          sum_.add(chunk, worker->run(chunk, window, sum_.room()));
          // Thread 0 is the caller's own thread; callbacks run only there.
          if (still_wanted_ && thread == 0 && still_wanted_() == Continue::cancel) sum_.stop();
        });
      }
    }
    failure.rethrow();
    if (sum_.stopped()) throw Cancelled();
  }

  const PassPlan<Real>& plan_;
  OrderedSum<Real>& sum_;
  int team_;
  const std::function<Continue()>& still_wanted_;
  std::vector<std::unique_ptr<ChunkWorker<Real>>> workers_;
};

template <class Real>
PassResult pass_in(Source& source, const PassRequest& request, int team,
                   const std::function<Continue()>& still_wanted,
                   const Communicator& communicator) {
  const PassPlan<Real> plan(source.layout(), request);
  const Tiling& tiling = plan.tiling;
  Collected result(tiling, request);
  std::vector<Partial> own;  // groups that wait for those of other processes
  const GroupRange mine = groups_of(communicator, communicator.rank(), tiling.groups());
  const int begin = tiling.first_chunk(mine.begin);
  const int end = tiling.first_chunk(mine.end);
  communicator.together([&] {
    OrderedSum<Real> sum(
        plan, begin, team,
        [&](Partial&& group) {
          communicator.size() == 1 ? result.add(group) : own.push_back(std::move(group));
        },
        [&](const FoundList& found) { result.add_found(found); });
    ChunkLoop<Real>(plan, sum, team, still_wanted).run(source, begin, end);
  });
  for (int rank = 0; communicator.size() > 1 && rank < communicator.size(); ++rank) {
    const GroupRange theirs = groups_of(communicator, rank, tiling.groups());
    for (int group = theirs.begin; group < theirs.end; ++group) {
      const Index first = tiling.first_tile(tiling.first_chunk(group));
      const Index last = tiling.first_tile(tiling.first_chunk(group + 1)) - 1;
      Partial sum = rank == communicator.rank()
                        ? std::move(own[group - theirs.begin])
                        : empty_partial(plan, tiling.tile(first), tiling.tile(last));
      share(communicator, rank, sum);
      result.add(sum);
    }
  }
  return result.finish();
}

}  // namespace

PassResult pass(Source& source, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted, const Communicator& communicator) {
  require_fitting(source.shape(), request);
  // Waking a thread costs more than processing a few thousand entries.
  constexpr Index least_per_thread = 50'000;
  const Index useful = std::max<Index>(1, source.shape().entries() / least_per_thread);
  const auto team =
      static_cast<int>(std::min<Index>(threads > 0 ? threads : omp_get_num_procs(), useful));
  return request.precision == Precision::f32
             ? pass_in<float>(source, request, team, still_wanted, communicator)
             : pass_in<double>(source, request, team, still_wanted, communicator);
}

PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted) {
  MemorySource source(tensor);
  return pass(source, request, threads, still_wanted);
}

}  // namespace sunder
