#pragma once
/// Matrix robust PCA by alternating projections (Netrapalli et al. 2014), the algorithm behind
/// altproj-flat and altproj-slice.

#include "algorithms/matrix/matrix_method.hpp"
#include "sunder/algorithms/altproj.hpp"

namespace sunder {

/// A matrix without an observed entry has L = 0 and an empty S. `stream` separates the random
/// starts of several matrices of one run.
MatrixParts altproj(const TensorView& matrix, const RunOptions& run, const AltProjOptions& options,
                    std::uint64_t stream = 0);

}  // namespace sunder
