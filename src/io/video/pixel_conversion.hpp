#pragma once
/// Pictures in one pixel format and size made into another.

#include "io/video/libav.hpp"

namespace sunder {

/// Converts pictures of any size and format to one. Pictures that keep their size are not
/// resampled, others by area.
class PixelConversion {
 public:
  PixelConversion(int width, int height, AVPixelFormat format)
      : width_(width), height_(height), format_(format) {}

  /// The converted picture, valid until the next call; nothing if FFmpeg cannot convert it.
  const AVFrame* convert(const AVFrame& picture);

  AVPixelFormat format() const { return format_; }

 private:
  bool prepare(const AVFrame& picture);
  void set_colours(const AVFrame& picture);

  int width_;
  int height_;
  AVPixelFormat format_;
  LibavOwned<SwsContext> context_;
  LibavOwned<AVFrame> converted_;
};

}  // namespace sunder
