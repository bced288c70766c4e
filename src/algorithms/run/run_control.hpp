#pragma once
/// Whether a run goes on: the caller may cancel it, and its time may be up.

#include "algorithms/run/time_limit.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder {

class RunControl {
 public:
  RunControl(const RunOptions& options, std::shared_ptr<const Communicator> processes)
      : callback_(options.progress),
        limit_(options.max_seconds),
        processes_(std::move(processes)) {}

  /// Reports progress, and answers `cancel` if the caller cancels or the time is up. The clock of
  /// the first process decides for all.
  Continue report(const Progress& progress);
  /// The same between passes. Throws Cancelled in every process if one of them is to stop. Every
  /// process calls this.
  void ask(const Progress& progress);

  /// Whether it was the clock that ended the work with Cancelled. Every process calls this.
  bool ended_by_clock() const;
  /// From now on the time does not count, because what is left must be done in any case.
  void ignore_clock() { clock_counts_ = false; }

 private:
  ProgressCallback callback_;
  TimeLimit limit_;
  std::shared_ptr<const Communicator> processes_;
  bool clock_counts_ = true;
  bool time_is_up_ = false;
};

}  // namespace sunder
