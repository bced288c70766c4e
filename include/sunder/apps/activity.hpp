#pragma once
/// The paper's real experiment: foreground of a video by a tensor and by a matrix method, judged by
/// hand-made masks.

#include <string>
#include <vector>

#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Masks of some frames: H x W x K, non-zero = foreground, and the frame of each.
struct FrameMasks {
  TensorView masks;
  std::vector<Index> frames;
};

/// How well a foreground agrees with masks, over all pixels of their frames together.
struct MaskScore {
  double precision = 0;
  double recall = 0;
  double f = 0;
};
MaskScore score(const SparseTensor& foreground, const FrameMasks& truth);

struct ActivityRow {
  std::string name;    ///< for people
  std::string method;  ///< with its options
  std::string outcome;
  double seconds = 0;
  int passes = 0;
  double sparse_fraction = 0;
  MaskScore score;
};

/// A clip H x W x T: the tensor method on it as it is, the matrix method on pixels x frames, both
/// of rank 1 to a convergence of 1e-3 as in the paper, and robust-cp. Throws Cancelled.
std::vector<ActivityRow> compare_activity(const TensorView& clip, const FrameMasks& truth,
                                          int threads, const ProgressCallback& progress);

}  // namespace sunder
