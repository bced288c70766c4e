#pragma once
/// A frame as FFmpeg's encoders take it.

#include <optional>

#include "io/video/pixel_conversion.hpp"
#include "sunder/video/frame.hpp"

namespace sunder {

/// FFmpeg's name for the pixels of a format.
AVPixelFormat pixels_of(const FrameFormat& format);

/// Throws InputError unless `frame` has the size that `format` says.
void require_frame_size(const Frame& frame, const FrameFormat& format);

/// Frames of one format converted to the pixels of an encoder.
class FramePicture {
 public:
  FramePicture(const FrameFormat& format, AVPixelFormat encoder_pixels);

  /// Valid until the next call. Throws WriteError if FFmpeg cannot convert it.
  AVFrame& picture_of(const Frame& frame);

 private:
  FrameFormat format_;
  LibavOwned<AVFrame> wrapped_;
  LibavOwned<AVFrame> sent_;
  PixelConversion conversion_;
};

}  // namespace sunder
