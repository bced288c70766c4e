#pragma once
/// Contraction, convex separation and simultaneous diagonalisation (Shah et al. 2015;
/// docs/methods/shah.md).

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct ShahOptions {
  int contract_mode = 2;  ///< the mode that the random contractions run along
  int slices = 0;  ///< slices in a contraction, of which an S keeps its sparsity; 0: all of them
  double nu = 1;   ///< weight of the l1 norm, in units of 1 / sqrt(longer side)
  double tolerance = 1e-10;  ///< residual of a separation, relative to its matrix, that is enough
  int max_iterations = 500;  ///< for each of the two separations
};

/// Throws InputError for a tensor that is not of order 3 or cannot be decomposed, OptionError for
/// options out of range.
Decomposition shah(const TensorView& tensor, const RunOptions& run, const ShahOptions& options);

}  // namespace sunder
