#pragma once
/// The receiver of a streamed S, for tensors whose S does not fit in memory.

#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

class SparseReceiver {
 public:
  virtual ~SparseReceiver() = default;
  /// Announces S. Entries received earlier belong to a model that was rejected and must be dropped.
  /// `in_order` says that positions will ascend.
  virtual void begin(const Shape& shape, bool in_order) = 0;
  /// Takes entries of S; positions count in C order, as in SparseTensor. Calls never overlap.
  virtual void add(std::span<const Index> positions, std::span<const double> values) = 0;
  /// Takes the q (Decomposition::sparse_q) of the entries that the last add() brought, where it is
  /// known.
  virtual void add_q(std::span<const double> /*q*/) {}
};

}  // namespace sunder
