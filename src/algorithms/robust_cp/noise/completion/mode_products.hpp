#pragma once
/// Products of a tensor with one square matrix in every mode.

#include <vector>

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust {

/// Multiplies every mode by its matrix: the entries of (A x B x C) vec(T).
Entries times(const Shape& shape, const std::vector<Matrix>& matrices, Entries entries);
/// The same with the transposed matrices.
Entries times_transposed(const Shape& shape, const std::vector<Matrix>& matrices, Entries entries);

}  // namespace sunder::robust
