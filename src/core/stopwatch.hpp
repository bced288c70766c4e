#pragma once

#include <chrono>
#include <ctime>

namespace sunder {

/// Measures the seconds since its construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Measures the processor time of the calling thread, in seconds since its construction. Unlike
/// elapsed time it does not depend on how busy the machine is.
class ProcessorClock {
 public:
  double seconds() const { return processor_seconds() - start_; }

 private:
  static double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = processor_seconds();
};

}  // namespace sunder
