#pragma once
/// Matrix robust PCA by alternating projections (Netrapalli et al. 2014), applied to a flattening
/// of the tensor or to each of its slices (docs/methods/altproj.md).

#include <array>
#include <optional>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct AltProjOptions {
  std::optional<double> mu =
      {};                   ///< incoherence in beta = 4 mu^2 r / sqrt(m n); none: beta is measured
  double reduction = 1;     ///< factor on beta each time the last stage stands still; 1: off
  double tolerance = 1e-9;  ///< epsilon: error of L to reach, relative to the norm of the matrix
  int max_iterations = 1000;  ///< alternations of projection and threshold, over all stages
};

struct AltProjFlatOptions {
  AltProjOptions matrix = {};
  int flatten_mode = 0;  ///< its indices are the rows, combinations of all the others the columns
};

struct AltProjSliceOptions {
  AltProjOptions matrix = {};
  std::array<int, 2> slice_modes{0, 1};  ///< rows and columns of a slice
};

/// The flattening along one mode. Throws InputError for a tensor that cannot be decomposed,
/// OptionError for options out of range.
Decomposition altproj_flat(const TensorView& tensor, const RunOptions& run,
                           const AltProjFlatOptions& options);

/// Every slice by itself; throws as altproj_flat does.
Decomposition altproj_slice(const TensorView& tensor, const RunOptions& run,
                            const AltProjSliceOptions& options);

}  // namespace sunder
