#pragma once

#include <functional>
#include <utility>

namespace sunder::robust {

/// Hears of the progress of long work, and adds up what it costs.
class Monitor {
 public:
  /// `heartbeat` throws Cancelled when the work is no longer wanted.
  explicit Monitor(std::function<void()> heartbeat = {}) : heartbeat_(std::move(heartbeat)) {}

  /// To be called between steps.
  void beat() const {
    if (heartbeat_) heartbeat_();
  }
  void did(double flops) { flops_ += flops; }
  double flops() const { return flops_; }

 private:
  std::function<void()> heartbeat_;
  double flops_ = 0;
};

}  // namespace sunder::robust
