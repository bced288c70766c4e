#pragma once
/// Several processes that work on one tensor together.

#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

/// What a pass needs of its fellow processes. Every process calls the same functions in the same
/// order. Sums are taken in the order of the ranks, so that they have the same bits everywhere and
/// every time.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Replaces the values by their sum over all processes.
  virtual void sum(std::span<double> values) const = 0;
  virtual void sum(std::span<Index> values) const = 0;
  /// Replaces the values by their maximum over all processes.
  virtual void max(std::span<double> values) const = 0;
  /// Replaces the values by those of one process.
  virtual void broadcast(std::span<double> values, int root) const = 0;
};

/// One process alone.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<double>) const override {}
  void sum(std::span<Index>) const override {}
  void max(std::span<double>) const override {}
  void broadcast(std::span<double>, int) const override {}
};

}  // namespace sunder
