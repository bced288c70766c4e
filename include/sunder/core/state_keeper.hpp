#pragma once
/// Where a method keeps what it has found so far, to go on from there after an interruption.

#include <cstddef>
#include <utility>
#include <vector>

namespace sunder {

class StateKeeper {
 public:
  virtual ~StateKeeper() = default;
  /// What the run to be continued has kept; empty for one that begins.
  virtual const std::vector<std::byte>& kept() const = 0;
  /// Whether enough time has passed to keep the state again.
  virtual bool due() const = 0;
  /// Replaces what is kept, or throws and leaves it as it was.
  virtual void keep(const std::vector<std::byte>& state) = 0;
};

/// A state that is known, and kept by somebody else if at all.
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
