#pragma once
/// Where S goes as it is found, for those who have no memory for all of it.

#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

class SparseReceiver {
 public:
  virtual ~SparseReceiver() = default;
  /// S is about to be found. What came before, if anything did, belonged to a model that was given
  /// up. `in_order`: positions will ascend.
  virtual void begin(const Shape& shape, bool in_order) = 0;
  /// Positions in C order of the tensor, as in SparseTensor. From one thread at a time.
  virtual void add(std::span<const Index> positions, std::span<const double> values) = 0;
};

}  // namespace sunder
