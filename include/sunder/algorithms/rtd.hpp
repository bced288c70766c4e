#pragma once
/// Robust tensor decomposition, Algorithm 1 of the paper with its Procedure 1
/// (docs/methods/rtd.md).

#include <optional>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct RtdOptions {
  double delta = 1e-6;              ///< accuracy: ||L - L*||_F <= delta where the theorem holds
  std::optional<double> mu = {};    ///< incoherence of L in beta = 4 mu^3 r / n^1.5; none: measured
  std::optional<double> beta = {};  ///< threshold over eigenvalue; none: from mu
  int restarts = 10;                ///< N1 of Procedure 1
  int power_iterations = 10;        ///< N2 of Procedure 1
  double shift = 0;                 ///< alpha of the shifted power iteration
  bool embed = false;  ///< decompose an asymmetric tensor through its symmetric embedding
};

/// A tensor of order 3 without infinite entries, symmetric unless embedded. Throws InputError or
/// OptionError otherwise.
Decomposition rtd(const TensorView& tensor, const RunOptions& run, const RtdOptions& options);
/// The same, to the bit, of a tensor that is larger than memory. Unless it is embedded, it is read
/// twice before the first pass, to see that it is symmetric.
Decomposition rtd(const StoredTensor& tensor, const RunOptions& run, const RtdOptions& options);

}  // namespace sunder
