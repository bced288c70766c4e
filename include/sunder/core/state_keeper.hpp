#pragma once
/// Where a method keeps what it has found so far, to go on from there after an interruption.

#include <cstddef>
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

}  // namespace sunder
