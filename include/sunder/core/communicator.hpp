#pragma once
/// Communication between the processes that work on one tensor together.

#include <functional>
#include <span>

namespace sunder {

/// The collective operations that an algorithm needs. Every process calls the same functions in the
/// same order, and values computed from exchanged data have the same bits in every process.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Replaces the values in every process with those of the process `root`.
  virtual void broadcast(std::span<double> values, int root) const = 0;
  /// Runs this process's share of the work. If the work fails in any process, every process throws
  /// the failure of the lowest rank that has one, so that no process waits for one that gave up.
  virtual void together(const std::function<void()>& work) const = 0;
};

/// The communicator of a program that runs as a single process.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void broadcast(std::span<double>, int) const override {}
  void together(const std::function<void()>& work) const override { work(); }
};

}  // namespace sunder
