#pragma once
/// Backgrounds that change: models of a clip of higher rank, for clips that fit into memory.

#include <cstdint>

#include "sunder/core/progress.hpp"
#include "sunder/video/segmentation.hpp"

namespace sunder {

enum class VideoModel {
  low_rank,  ///< pixels x frames of low rank, robustly, with the block decision of the background
  cp,        ///< the paper's tensor method on height x width x frames; the mask is the support of S
};

struct LowRankVideoOptions {
  VideoModel model = VideoModel::low_rank;
  int rank = 2;
  double tolerance = 1e-3;  ///< convergence of `cp`, as in the paper's Figure 3
  std::uint64_t seed = 1;
  BackgroundOptions background;   ///< of the decisions
  Index memory = Index{1} << 30;  ///< bytes that the clip may take
  ProgressCallback progress;      ///< while the model is computed
};

/// Grey frames only. Throws InputError for a clip that does not fit into the memory, or has fewer
/// frames than the rank asks for; Cancelled.
SegmentationSummary segment_low_rank(FrameSource& source, const LowRankVideoOptions& options,
                                     const SegmentedVisitor& visit);

}  // namespace sunder
