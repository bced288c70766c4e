#pragma once
/// Models of higher rank for backgrounds that change. The clip must fit into memory.

#include <cstdint>

#include "sunder/core/progress.hpp"
#include "sunder/video/segmentation.hpp"

namespace sunder {

enum class VideoModel {
  low_rank,  ///< a robust low-rank model of pixels x frames; objects as in the background model
  cp,        ///< the paper's tensor method on height x width x frames; the mask is the support of S
};

struct LowRankVideoOptions {
  VideoModel model = VideoModel::low_rank;
  int rank = 2;
  double tolerance = 1e-3;  ///< `cp` has converged at this; as in the paper's Figure 3
  std::uint64_t seed = 1;
  BackgroundOptions background;   ///< for the decisions
  Index memory = Index{1} << 30;  ///< bytes that the clip may take
  ProgressCallback progress;      ///< while the model is computed
};

/// Takes grey frames only. Throws InputError for a clip that does not fit into the memory or has
/// fewer frames than the rank asks for, and Cancelled.
SegmentationSummary segment_low_rank(FrameSource& source, const LowRankVideoOptions& options,
                                     const SegmentedVisitor& visit);

}  // namespace sunder
