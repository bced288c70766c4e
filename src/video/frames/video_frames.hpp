#pragma once
/// Frames of what FFmpeg decodes.

#include <memory>
#include <optional>

#include "io/video/pixel_conversion.hpp"
#include "io/video/video_decoder.hpp"
#include "sunder/video/open_frames.hpp"
#include "video/frames/frame_range.hpp"

namespace sunder {

class VideoFrames : public FrameSource {
 public:
  /// Decodes up to the first frame of the range. Throws InputError if there is none.
  VideoFrames(VideoInput input, const FrameOptions& options);

  FrameFormat format() const override { return format_; }
  double frames_per_second() const override;
  Index expected_frames() const override {
    return range_.count(decoder_->container().expected_frames());
  }
  bool next(Frame& frame) override;
  bool can_rewind() const override { return !input_.live; }
  bool rewind() override;
  std::vector<std::string> warnings() const override { return warnings_.sentences(); }

 private:
  void open();
  void advance();
  void choose_format();
  void require_frame() const;
  void note_size();
  bool convert(Frame& frame);

  VideoInput input_;
  FrameOptions options_;
  FrameRange range_;
  WarningList warnings_;
  std::unique_ptr<VideoDecoder> decoder_;
  const AVFrame* picture_ = nullptr;  ///< the next frame of the range, not converted yet
  FrameFormat format_;
  int width_ = 0;  ///< of the pictures, which may change
  int height_ = 0;
  std::optional<PixelConversion> conversion_;
};

}  // namespace sunder
