#pragma once
/// A keeper of checkpoints that has them in memory.

#include <vector>

#include "sunder/core/state_keeper.hpp"

namespace sunder::test {

class MemoryKeeper final : public StateKeeper {
 public:
  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override { return always_due; }
  void keep(const std::vector<std::byte>& state) override {
    kept_ = state;
    ++times;
  }
  bool always_due = true;
  int times = 0;

 private:
  std::vector<std::byte> kept_;
};

}  // namespace sunder::test
