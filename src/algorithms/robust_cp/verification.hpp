#pragma once
/// One read of the whole tensor that finds S and gathers the evidence for `exact`.

#include "algorithms/robust_cp/dense_core.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::robust {

struct Verification {
  SparseTensor sparse;  ///< entries with |T - L| above the level
  Index missing = 0;
  Index observed = 0;
  double kept_square_sum = 0;
  double data_square_sum = 0;
  int bad_slices = 0;        ///< slices of which too few entries are fitted
  double weakest_share = 1;  ///< of the entries of a slice, over slices, that are fitted
};

/// An entry counts for a slice only where the model could be non-zero: every other mode's row is
/// alive. A slice is bad when its fitted share is below max(.08, a quarter of the median slice), or
/// fewer than 2 r of its entries are fitted.
Verification verify(const TensorView& tensor, const Factors& factors, double level, int threads,
                    const ProgressCallback& progress);

}  // namespace sunder::robust
