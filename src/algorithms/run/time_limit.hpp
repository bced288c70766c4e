#pragma once
/// The time that a run may take.

#include <algorithm>

#include "core/stopwatch.hpp"

namespace sunder {

class TimeLimit {
 public:
  /// The time begins now. If `max_seconds` is 0, there is no limit.
  explicit TimeLimit(double max_seconds) : max_seconds_(max_seconds) {}

  bool reached() const { return max_seconds_ > 0 && clock_.seconds() >= max_seconds_; }
  double seconds() const { return clock_.seconds(); }
  /// What RunOptions::max_seconds of a part of the run must be: the time that is left. Never 0
  /// where there is a limit, because 0 means that there is none.
  double left() const {
    return max_seconds_ > 0 ? std::max(max_seconds_ - clock_.seconds(), 1e-9) : 0;
  }

 private:
  double max_seconds_;
  Stopwatch clock_;
};

}  // namespace sunder
