#pragma once
/// A clip of any length, frame by frame, through the background model.

#include <functional>
#include <optional>

#include "sunder/core/progress.hpp"
#include "sunder/video/background.hpp"

namespace sunder {

struct SegmentationOptions {
  BackgroundOptions background;
  bool online = false;  ///< decide without looking ahead
  /// Frames of a clip that the model is learned from before any is judged; later ones are followed
  /// as a stream is.
  Index learning_frames = 1500;
  /// Of the frames learned from at a time; of longer clips every second, fourth, ... frame is
  /// taken.
  Index cache_bytes = Index{128} << 20;
};

/// What is known of a frame when its turn has come.
struct SegmentedFrame {
  Index number = 0;  ///< counted from 0, among the frames of the source
  const Frame& frame;
  const FrameDecision& decision;
  std::function<Frame()> background;  ///< the frame without its objects
};

struct SegmentationSummary {
  Index frames = 0;
  Index learned_from = 0;  ///< frames of the sample that the model was started from
  bool followed = false;   ///< whether the model went on as a stream
};

using SegmentedVisitor = std::function<Continue(const SegmentedFrame& frame)>;

/// Calls `visit` for every frame in order, until it says cancel. A source that can be read only
/// once is learned from as far as its frames fit into the cache.
SegmentationSummary segment(FrameSource& source, const SegmentationOptions& options,
                            const SegmentedVisitor& visit);

/// What becomes of frames that a stream has not judged because its warm-up is not over.
enum class AtTheEnd { judge_all, keep_waiting };

/// The rest of a source through a stream, which keeps what it learns: it can be saved afterwards.
SegmentationSummary segment(FrameSource& source, BackgroundStream& stream,
                            const SegmentedVisitor& visit,
                            AtTheEnd at_the_end = AtTheEnd::judge_all);

}  // namespace sunder
