#pragma once
/// Frames into numbered PNG images.

#include "io/video/libav.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/video/write_frames.hpp"
#include "video/frames/frame_picture.hpp"

namespace sunder {

class PngSink : public FrameSink {
 public:
  PngSink(const std::filesystem::path& pattern, const FrameFormat& format,
          const WriteOptions& options);

  void write(const Frame& frame) override;
  void finish() override;

 private:
  std::filesystem::path pattern_;
  StagedFolder folder_;
  LibavOwned<AVCodecContext> encoder_;
  LibavOwned<AVPacket> packet_;
  FramePicture picture_;
  Index frames_ = 0;
};

/// `%d` or `%05d`, once, and nothing else with `%`.
bool is_numbered_name(const std::filesystem::path& path);

}  // namespace sunder
