#pragma once
/// The three outputs of a clip: its background, its objects and their masks.

#include <filesystem>
#include <memory>
#include <string>

#include "sunder/video/segmentation.hpp"
#include "sunder/video/write_frames.hpp"

namespace sunder {

/// The ending of each output; "png" for numbered images, "none" for an output that is not wanted.
struct OutputFormats {
  std::string background, foreground, mask;
};

class ClipOutputs {
 public:
  ClipOutputs(const std::filesystem::path& folder, const OutputFormats& formats,
              const FrameFormat& format, double frames_per_second, bool lossless);

  void write(const SegmentedFrame& segmented);
  /// Completes the files under their names.
  void finish();

 private:
  FrameFormat format_;
  std::unique_ptr<FrameSink> background_, foreground_, mask_;
  Frame objects_;  ///< what is written, kept for its memory
};

}  // namespace sunder
