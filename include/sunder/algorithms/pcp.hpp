#pragma once
/// Principal component pursuit (Candes et al. 2011): the convex matrix robust PCA, applied to a
/// flattening of the tensor or to each of its slices (docs/methods/pcp.md).

#include <array>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct PcpOptions {
  double lambda = 1;        ///< weight of ||S||_1, in units of 1/sqrt(max(m, n))
  double growth = 1.5;      ///< rho: factor on the penalty mu for each iteration
  double tolerance = 1e-7;  ///< ||M - L - S||_F / ||M||_F at which the iteration ends
  int max_iterations = 1000;
};

struct PcpFlatOptions {
  PcpOptions matrix = {};
  int flatten_mode = 0;  ///< its indices are the rows, combinations of all the others the columns
};

struct PcpSliceOptions {
  PcpOptions matrix = {};
  std::array<int, 2> slice_modes{0, 1};  ///< rows and columns of a slice
};

/// The flattening along one mode. The rank is checked but not used: L has the rank that the convex
/// program gives it. Throws InputError for a tensor that cannot be decomposed, OptionError for
/// options out of range.
Decomposition pcp_flat(const TensorView& tensor, const RunOptions& run,
                       const PcpFlatOptions& options);

/// Every slice by itself; as pcp_flat otherwise.
Decomposition pcp_slice(const TensorView& tensor, const RunOptions& run,
                        const PcpSliceOptions& options);

}  // namespace sunder
