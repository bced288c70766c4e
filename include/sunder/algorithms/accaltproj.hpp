#pragma once
/// Matrix robust PCA by accelerated alternating projections (Cai et al. 2019), applied to a
/// flattening of the tensor (docs/methods/accaltproj.md).

#include <optional>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct AccAltProjOptions {
  int flatten_mode = 0;  ///< its indices are the rows, combinations of all the others the columns
  std::optional<double> mu = {};  ///< incoherence in beta = mu r / (2 sqrt(m n)); none: measured
  double gamma = 0.5;        ///< factor on the vanishing part of the threshold for each iteration
  bool trim = false;         ///< rows of the singular vectors are cut to sqrt(mu r / m); needs mu
  double tolerance = 1e-9;   ///< norm of M - L - S over that of M at which the iteration ends
  int max_iterations = 100;  ///< after the initialisation; each costs one pass
};

/// Throws InputError for a tensor that cannot be decomposed, OptionError for options out of range.
Decomposition accaltproj_flat(const TensorView& tensor, const RunOptions& run,
                              const AccAltProjOptions& options);

}  // namespace sunder
