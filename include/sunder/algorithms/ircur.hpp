#pragma once
/// Matrix robust PCA by iterated robust CUR decompositions (Cai et al. 2021), applied to a
/// flattening of the tensor (docs/methods/ircur.md).

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct IrcurOptions {
  int flatten_mode = 0;  ///< its indices are the rows, combinations of all the others the columns
  double sample_constant = 4;  ///< c: c r log m rows and c r log n columns are drawn
  bool fixed = false;          ///< one sample for all iterations instead of a new one for each
  double gamma = 0.7;          ///< factor on the threshold for each iteration
  double tolerance = 1e-9;     ///< residual of the sample over its norm at which it ends
  int max_iterations = 200;
};

/// Throws InputError for a tensor that cannot be decomposed, OptionError for options out of range.
Decomposition ircur_flat(const TensorView& tensor, const RunOptions& run,
                         const IrcurOptions& options);

}  // namespace sunder
