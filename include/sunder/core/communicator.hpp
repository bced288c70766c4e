#pragma once
/// Several processes that work on one tensor together.

#include <functional>
#include <span>

namespace sunder {

/// What an algorithm needs of its fellow processes. Every process calls the same functions in the
/// same order; whatever is computed from what they exchange has the same bits in all of them.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Replaces the values by those of one process.
  virtual void broadcast(std::span<double> values, int root) const = 0;
  /// Does this process's share of the work. If it fails anywhere, every process throws the failure
  /// of the first rank that has one, and none waits for another that has given up.
  virtual void together(const std::function<void()>& work) const = 0;
};

/// One process alone.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void broadcast(std::span<double>, int) const override {}
  void together(const std::function<void()>& work) const override { work(); }
};

}  // namespace sunder
