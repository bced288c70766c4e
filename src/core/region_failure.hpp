#pragma once
/// Carries an exception out of an OpenMP region: one that leaves the region by itself would
/// terminate the program.

#include <atomic>
#include <exception>
#include <mutex>

namespace sunder {

class RegionFailure {
 public:
  /// Runs a piece of the work; returns false if it threw. After a failure, no further work is
  /// started.
  template <class Work>
  bool guard(Work&& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return false;
    try {
      work();
      return true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
      failed_ = true;
      return false;
    }
  }
  /// Call after the region: rethrows the first exception, if there was one.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace sunder
