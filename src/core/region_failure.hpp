#pragma once
/// An exception may not leave an OpenMP region or loop: it would end the program. It waits here
/// until the region is over.

#include <atomic>
#include <exception>
#include <mutex>

namespace sunder {

class RegionFailure {
 public:
  /// Runs a piece of the work. False if it threw; after a failure nothing more is begun.
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
  /// After the region: throws what came first, if anything did.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace sunder
