#pragma once
/// What a run has cost, including the runs before it that it goes on from.

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "core/stopwatch.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

struct Effort {
  int passes = 0;
  Index sampled = 0;
  std::int64_t bytes = 0;
  double flops = 0;
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

class Meter {
 public:
  Meter(const Engine& engine, const Monitor& monitor) : engine_(engine), monitor_(monitor) {}

  int passes() const { return offset_.passes + engine_.passes(); }
  Index sampled() const { return offset_.sampled + engine_.gathered_entries(); }
  double flops() const { return offset_.flops + monitor_.flops(); }
  double seconds() const { return offset_.seconds + clock_.seconds(); }
  /// All processes ask together.
  Effort so_far() const { return offset_ + in_this_run(); }

  /// A step was recalled, up to which earlier runs took this: what this run did is counted once.
  void go_on_from(const Effort& earlier) { offset_ = earlier - in_this_run(); }

 private:
  Effort in_this_run() const {
    return {engine_.passes(), engine_.gathered_entries(), engine_.bytes_read(), monitor_.flops(),
            clock_.seconds()};
  }

  const Engine& engine_;
  const Monitor& monitor_;
  Stopwatch clock_;
  Effort offset_;
};

}  // namespace sunder::robust
