#pragma once
/// Tucker models: the leading directions of each mode, and the small tensor that they leave.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

struct Tucker {
  std::vector<Matrix> directions;  ///< orthonormal columns, for each mode
  Shape shape;                     ///< of the small tensor
  Entries core;                    ///< the small tensor

  /// Factors of the small tensor as factors of the large one.
  Factors expand(const Factors& small) const;
  /// The model at every entry.
  Entries evaluate() const;
};

/// Higher-order SVD to at most `rank` directions in each mode.
Tucker compress(const Shape& shape, const Entries& entries, int rank);

}  // namespace sunder::robust
