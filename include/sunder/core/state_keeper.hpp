#pragma once
/// Storage for the state of a run, so that an interrupted run can continue.

#include <cstddef>
#include <utility>
#include <vector>

namespace sunder {

class StateKeeper {
 public:
  virtual ~StateKeeper() = default;
  /// Returns the state that an earlier run saved, or nothing for a new run.
  virtual const std::vector<std::byte>& kept() const = 0;
  /// Returns true when enough time has passed since the state was last saved.
  virtual bool due() const = 0;
  /// Replaces the saved state; if it throws, the previous state is still there.
  virtual void keep(const std::vector<std::byte>& state) = 0;
};

/// A state given by the caller, who is responsible for saving it.
class KnownState final : public StateKeeper {
 public:
  explicit KnownState(std::vector<std::byte> kept) : kept_(std::move(kept)) {}
  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override { return false; }
  void keep(const std::vector<std::byte>& /*state*/) override {}

 private:
  std::vector<std::byte> kept_;
};

}  // namespace sunder
