#pragma once
/// New slices under a model that was fitted before: robust regression onto its factors.

#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct TransformOptions {
  double noise_width = 4;     ///< S holds residuals of at least this many standard deviations
  int threads = 0;            ///< 0: one for each processor; never changes the result
  ProgressCallback progress;  ///< called often; may cancel
};

struct Transformed {
  Matrix coefficients;  ///< slices x rank: slice t is sum_i coefficients(t, i) u_i o v_i o ... + S;
                        ///< NaN for a slice with fewer observed entries than components
  SparseTensor sparse;  ///< S, of the shape of the slices together
  Vector residual;      ///< of each slice: norm of T - L over that of T, on the entries not in S
  Index missing_count = 0;  ///< entries that are NaN
};

/// `slices` lie along `mode`; `factors` are those of its other modes, in their order, and stay as
/// they are. Every slice is fitted by itself, so that its result does not depend on the others.
/// Throws InputError for shapes that do not go together or an infinite entry, OptionError for
/// options out of range, Cancelled if the callback cancels.
Transformed transform(const std::vector<Matrix>& factors, int mode, const TensorView& slices,
                      const TransformOptions& options = {});

}  // namespace sunder
