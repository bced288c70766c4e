#pragma once
/// What every run of a method needs besides its iteration: passes over the tensor wherever it is
/// stored and however many processes share it, the trace, progress reports, cancellation, the time
/// limit, S, and checkpoints. A method adds its options and the steps of its paper.

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "algorithms/run/checkpoint.hpp"
#include "algorithms/run/effort.hpp"
#include "algorithms/run/run_control.hpp"
#include "algorithms/run/sparse_part.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"

namespace sunder {

std::shared_ptr<Source> source_of(const TensorView& tensor);
std::shared_ptr<Source> source_of(const StoredTensor& tensor);

/// The processes of a run: this one alone unless the options name others.
std::shared_ptr<const Communicator> communicator_of(const RunOptions& options);

/// The share of the observed entries that is in S.
inline double rejected_share(const PassStatistics& seen) {
  return static_cast<double>(seen.rejected) / static_cast<double>(seen.observed());
}

class Run {
 public:
  /// `method` is the name that messages and checkpoints give.
  Run(std::shared_ptr<Source> tensor, const RunOptions& options, std::string method);
  Run(const TensorView& tensor, const RunOptions& options, std::string method)
      : Run(source_of(tensor), options, std::move(method)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Engine& engine() { return engine_; }
  /// For long work between passes: it reports progress and counts floating-point operations.
  robust::Monitor& monitor() { return monitor_; }
  EffortMeter& meter() { return meter_; }
  const Shape& shape() const { return engine_.shape(); }
  const RunOptions& options() const { return options_; }
  int rank() const { return options_.rank; }
  Decomposition& result() { return result_; }
  const CpModel& low_rank() const { return result_.low_rank; }

  /// Runs the method: `iterate` finds L, `finish` finds S and may not be left out, because it also
  /// follows an iteration that the time limit has ended. Returns the result with all that the
  /// run itself knows of it.
  Decomposition solve(const std::function<void()>& iterate, const std::function<void()>& finish);

  /// Reads the tensor once for its norm, its largest entry and the number of its missing entries.
  const PassStatistics& measure_data();
  const PassStatistics& data() const { return data_; }

  /// Replaces L, and returns ||L_new - L_old|| / ||L_new||.
  double replace_low_rank(CpModel next);

  /// Adds a line to the trace. Pass, time and sampled entries are filled in.
  void record(TraceRecord line);
  const std::vector<TraceRecord>& trace() const { return result_.trace; }

  /// Work to do when the run is interrupted, for a method that keeps its state itself. Every
  /// process does it.
  void on_interruption(std::function<void()> work) { on_interruption_ = std::move(work); }

  /// What progress reports say: a stage other than that of the last line of the trace, and the
  /// share of the whole work that is done (negative: not known).
  void set_stage(std::string stage) { stage_ = std::move(stage); }
  std::string& stage() { return stage_; }
  void set_fraction(double fraction) { fraction_ = fraction; }
  /// Reports progress between passes. Throws Cancelled if the caller cancels or the time is up.
  /// Every process calls this.
  void ask() { control_.ask(progress()); }
  /// The same for work that one process does alone.
  Continue still_wanted() { return control_.report(progress()); }

  /// Counts passes that the engine does not know of.
  void add_passes(int count) { meter_.add_passes(count); }
  int passes() const { return meter_.passes(); }

  /// Finds S = HT_zeta(T - L) by one pass.
  void find_sparse(double zeta) { sunder::find_sparse(engine_, zeta, options_, result_); }

  /// Continues where an earlier run has stopped: restores the state of the iteration, L, the trace
  /// and the measures of the data. False if there is nothing to continue.
  template <class State>
  bool resume(State& state) {
    Resumable<State> kept{state, *this};
    if (!checkpoint_.restore(kept)) return false;
    require_own_shape();
    return true;
  }
  /// Offers the state at the beginning of an iteration to the checkpoint.
  template <class State>
  void keep(State& state) {
    if (!checkpoint_.wanted()) return;
    Resumable<State> now{state, *this};
    checkpoint_.offer(now);
  }

 private:
  /// The state of a method, and of the run around it.
  template <class State>
  struct Resumable {
    State& state;
    Run& run;
    template <class Archive>
    void describe_parts(Archive& archive) {
      archive(state);
      run.describe_own_state(archive);
    }
    template <class Archive>
    friend void describe(Archive& archive, Resumable& now) {
      now.describe_parts(archive);
    }
  };
  template <class Archive>
  void describe_own_state(Archive& archive) {
    Effort effort = meter_.so_far();
    archive(result_.low_rank);
    archive(result_.trace);
    archive(result_.missing_count);
    archive(data_.data_square_sum);
    archive(data_.data_max);
    archive(data_.missing);
    archive(fraction_);
    archive(stage_);
    archive(effort);
    if constexpr (std::is_same_v<Archive, StateReader>) meter_.go_on_from(effort);
  }
  void require_own_shape() const;
  void keep_state();
  Progress progress() const;

  RunOptions options_;
  std::string method_;
  RunControl control_;
  Engine engine_;
  robust::Monitor monitor_;
  EffortMeter meter_;
  Checkpoint checkpoint_;
  std::function<void()> on_interruption_;
  PassStatistics data_;
  std::string stage_ = "starting";
  double fraction_ = -1;
  Decomposition result_;
};

/// What a result says about itself if its method proves nothing.
std::string uncertified(std::string_view method);

/// Adds what a time limit means to the explanation of a result, if one has ended the run.
void explain_time_limit(Decomposition& result);

}  // namespace sunder
