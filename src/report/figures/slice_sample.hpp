#pragma once
/// Samples slices of T, L and S, thinned until they fit into a page.
///
/// The sample takes every n-th row, column and slice, so that each number shown is an entry of T;
/// nothing is averaged. L is evaluated slice by slice at those entries only.

#include <vector>

#include "report/figures/residual_histogram.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// The slices across one mode. Entries are stored frame by frame, row by row.
struct SlicesOfMode {
  int frame_mode = -1;  ///< -1: a matrix, which is its own and only slice
  int row_mode = 0;
  int column_mode = 1;
  std::vector<Index> frames, rows, columns;  ///< the sampled indices
  ModeIndices fixed{};                       ///< the index in every other mode, which is its middle
  std::vector<float> data, low_rank, sparse;  ///< NaN where the entry is missing
};

struct SliceSample {
  std::vector<SlicesOfMode> modes;
  ResidualHistogram residuals;  ///< of the sampled entries that are not missing
};

/// The longest side of a picture, and the number of sampled entries over all modes.
struct SliceLimits {
  Index side = 100;
  Index entries = 850'000;
};

/// Samples the slices. Throws InputError if the shapes differ.
SliceSample sample_slices(const TensorView& tensor, const CpModel& low_rank,
                          const SparseTensor& sparse, const SliceLimits& limits = {});

}  // namespace sunder
