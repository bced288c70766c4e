#include "video/frames/frame_picture.hpp"

#include <fmt/format.h>

#include <new>

#include "sunder/core/error.hpp"

namespace sunder {

AVPixelFormat pixels_of(const FrameFormat& format) {
  const bool grey = format.channels == 1;
  return format.bits == 8 ? (grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24)
                          : (grey ? AV_PIX_FMT_GRAY16 : AV_PIX_FMT_RGB48);
}

void require_frame_size(const Frame& frame, const FrameFormat& format) {
  if (std::ssize(frame.bytes) == format.bytes()) return;
  throw InputError(fmt::format("a frame of {} bytes came where the format {} x {} x {} has {}",
                               frame.bytes.size(), format.height, format.width, format.channels,
                               format.bytes()));
}

FramePicture::FramePicture(const FrameFormat& format, AVPixelFormat encoder_pixels)
    : format_(format),
      wrapped_(new_frame()),
      sent_(new_frame()),
      conversion_(static_cast<int>(format.width), static_cast<int>(format.height), encoder_pixels) {
  wrapped_->width = static_cast<int>(format.width);
  wrapped_->height = static_cast<int>(format.height);
  wrapped_->format = pixels_of(format);
}

AVFrame& FramePicture::picture_of(const Frame& frame) {
  require_frame_size(frame, format_);
  av_image_fill_arrays(wrapped_->data, wrapped_->linesize, frame.bytes.data(), pixels_of(format_),
                       wrapped_->width, wrapped_->height, 1);
  const AVFrame* const converted = conversion_.convert(*wrapped_);
  if (converted == nullptr) throw WriteError("FFmpeg cannot convert the frames for the encoder");
  // A reference: the encoder keeps pictures, and their times must not change with the next one.
  av_frame_unref(sent_.get());
  if (av_frame_ref(sent_.get(), converted) < 0) throw std::bad_alloc();
  return *sent_;
}

}  // namespace sunder
