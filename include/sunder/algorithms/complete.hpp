#pragma once
/// Fills the gaps of a tensor: robust-cp finds L and S; where L does not explain the entries to
/// rounding, a field with a covariance in every mode takes up what L leaves
/// (docs/methods/robust-cp.md, "Gaps").

#include <vector>

#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {

struct Completion {
  Decomposition decomposition;
  /// The best guess of every entry without its noise, in C order. Equal to L where that fits the
  /// entries to rounding, and where T is too large for a field.
  std::vector<double> guess;
};

/// A rank of 0 stands for one that is generous for most data, since a surplus does no harm here.
/// Throws as robust_cp() does.
Completion complete(const TensorView& tensor, const RunOptions& run,
                    const RobustCpOptions& options);

}  // namespace sunder
