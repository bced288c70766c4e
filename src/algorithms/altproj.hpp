#pragma once
/// Matrix robust PCA by alternating projections (Netrapalli et al. 2014), the algorithm behind
/// altproj-flat and altproj-slice.

#include "sunder/algorithms/altproj.hpp"

namespace sunder {

/// The parts of one matrix, an order-2 view. L holds its singular vectors.
struct MatrixParts {
  Decomposition parts;
  double data_norm = 0;  ///< ||M||_F over the observed entries
};

/// A matrix without an observed entry has L = 0 and an empty S. `stream` separates the random
/// starts of several matrices of one run.
MatrixParts altproj(const TensorView& matrix, const RunOptions& run, const AltProjOptions& options,
                    std::uint64_t stream = 0);

/// Throws OptionError for options out of range.
void validate(const AltProjOptions& options);

/// What to say of a result: no method of this family proves anything about it.
std::string uncertified(std::string_view method);

}  // namespace sunder
