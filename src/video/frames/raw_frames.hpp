#pragma once
/// Raw frames from a pipe.

#include <optional>

#include "io/video/pixel_conversion.hpp"
#include "io/video/warning_list.hpp"
#include "video/frames/frame_range.hpp"

namespace sunder {

class RawFrames : public FrameSource {
 public:
  /// Reads the first frame of the range from the open file `descriptor`, which is not closed.
  /// Throws OptionError for a size or pixel format that cannot be, InputError if no frame comes.
  RawFrames(int descriptor, const FrameOptions& options);

  FrameFormat format() const override { return format_; }
  double frames_per_second() const override;
  Index expected_frames() const override { return range_.count(-1); }
  bool next(Frame& frame) override;
  bool can_rewind() const override { return false; }
  bool rewind() override { return false; }
  std::vector<std::string> warnings() const override { return warnings_.sentences(); }

 private:
  void choose_format();
  bool read_frame();
  void advance();
  void deliver(Frame& frame);

  int descriptor_;
  FrameOptions options_;
  FrameRange range_;
  WarningList warnings_;
  AVPixelFormat pixels_;
  FrameFormat format_;
  std::vector<std::uint8_t> buffer_;  ///< one frame as it comes
  std::optional<PixelConversion> conversion_;
  Index read_ = 0;
  bool pending_ = false;  ///< the buffer holds a frame of the range
  bool ended_ = false;
};

}  // namespace sunder
