#pragma once
/// The paper's experiment on real data: the foreground of a video by a tensor method, by a matrix
/// method and by the background model, judged by masks made by hand.

#include <string>
#include <vector>

#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"
#include "sunder/video/mask_score.hpp"

namespace sunder {

/// Masks of some frames, H x W x K with non-zero for foreground, and the frame of each mask.
struct FrameMasks {
  TensorView masks;
  std::vector<Index> frames;
};

struct ActivityRow {
  std::string name;    ///< for people
  std::string method;  ///< with its options
  std::string outcome;
  double seconds = 0;  ///< on one thread
  int passes = 0;
  double sparse_fraction = 0;
  MaskScore score;
  /// The masks found for the frames that have one made by hand: row by row, 0 or 255.
  std::vector<std::vector<std::uint8_t>> masks;
};

/// Runs three methods on a clip H x W x T of 8 bits: the tensor method on the clip as it is, the
/// matrix method on pixels x frames, both of rank 1 to a convergence of 1e-3 as in the paper, and
/// the background model. Throws Cancelled.
std::vector<ActivityRow> compare_activity(const TensorView& clip, const FrameMasks& truth,
                                          const ProgressCallback& progress);

}  // namespace sunder
