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
  /// The model learns from this many frames before any of them is judged. It follows later frames
  /// as a stream does.
  Index learning_frames = 1500;
  /// The frames that the model learns from take at most this much memory. From longer clips it
  /// takes every second, every fourth, ... frame.
  Index cache_bytes = Index{128} << 20;
};

/// A frame with what was decided about it.
struct SegmentedFrame {
  Index number = 0;  ///< counted from 0, among the frames of the source
  const Frame& frame;
  const FrameDecision& decision;
  std::function<Frame()> background;  ///< the frame without its objects
};

struct SegmentationSummary {
  Index frames = 0;
  Index learned_from = 0;  ///< the number of frames that the model started from
  bool followed = false;   ///< whether the model then followed the clip as a stream
};

using SegmentedVisitor = std::function<Continue(const SegmentedFrame& frame)>;

/// Calls `visit` for every frame in order until it answers `cancel`. If the source can be read only
/// once, the model learns from as many of its frames as fit into the cache.
SegmentationSummary segment(FrameSource& source, const SegmentationOptions& options,
                            const SegmentedVisitor& visit);

/// What happens to frames that a stream has not judged because its warm-up is not over.
enum class AtTheEnd { judge_all, keep_waiting };

/// Sends the rest of a source through a stream. The stream keeps what it learns and can be saved.
SegmentationSummary segment(FrameSource& source, BackgroundStream& stream,
                            const SegmentedVisitor& visit,
                            AtTheEnd at_the_end = AtTheEnd::judge_all);

}  // namespace sunder
