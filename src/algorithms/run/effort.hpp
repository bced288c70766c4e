#pragma once
/// What a run has cost, including the earlier runs that it resumes.

#include "algorithms/robust_cp/core/monitor.hpp"
#include "core/stopwatch.hpp"
#include "engine/engine.hpp"

namespace sunder {

struct Effort {
  int passes = 0;          ///< complete reads of the tensor
  Index sampled = 0;       ///< entries read besides the passes
  std::int64_t bytes = 0;  ///< read from files by all processes
  double flops = 0;        ///< floating-point operations, about; 0: not counted
  double seconds = 0;

  Effort operator+(const Effort& b) const {
    return {passes + b.passes, sampled + b.sampled, bytes + b.bytes, flops + b.flops,
            seconds + b.seconds};
  }
  Effort operator-(const Effort& b) const {
    return {passes - b.passes, sampled - b.sampled, bytes - b.bytes, flops - b.flops,
            seconds - b.seconds};
  }
};
template <class Archive>
void describe(Archive& archive, Effort& effort) {
  archive(effort.passes);
  archive(effort.sampled);
  archive(effort.bytes);
  archive(effort.flops);
  archive(effort.seconds);
}

class EffortMeter {
 public:
  /// The monitor counts the floating-point operations.
  EffortMeter(const Engine& engine, const robust::Monitor& monitor)
      : engine_(engine), monitor_(monitor) {}

  int passes() const { return offset_.passes + passes_elsewhere_ + engine_.passes(); }
  Index sampled() const { return offset_.sampled + engine_.gathered_entries(); }
  double flops() const { return offset_.flops + monitor_.flops(); }
  double seconds() const { return offset_.seconds + clock_.seconds(); }
  /// Every process calls this.
  Effort so_far() const { return offset_ + in_this_run(); }

  /// Counts passes that the engine does not know of, such as those over a copy of the tensor.
  void add_passes(int count) { passes_elsewhere_ += count; }
  /// Continues after `earlier`, the cost up to the state that was restored. What this run has done
  /// so far is part of that, so that nothing is counted twice.
  void go_on_from(const Effort& earlier) { offset_ = earlier - in_this_run(); }

 private:
  Effort in_this_run() const {
    return {engine_.passes() + passes_elsewhere_, engine_.gathered_entries(), engine_.bytes_read(),
            monitor_.flops(), clock_.seconds()};
  }

  const Engine& engine_;
  const robust::Monitor& monitor_;
  Stopwatch clock_;
  Effort offset_;
  int passes_elsewhere_ = 0;
};

}  // namespace sunder
