#include "io/video/pixel_conversion.hpp"

#include <new>

namespace sunder {

namespace {

bool is_rgb(AVPixelFormat format) {
  const AVPixFmtDescriptor* const description = av_pix_fmt_desc_get(format);
  return description != nullptr &&
         (description->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_RGB)) != 0;
}

}  // namespace

const AVFrame* PixelConversion::convert(const AVFrame& picture) {
  if (!prepare(picture)) return nullptr;
  // An encoder may still hold the picture that was converted last.
  if (av_frame_make_writable(converted_.get()) < 0) throw std::bad_alloc();
  const int rows = sws_scale(context_.get(), picture.data, picture.linesize, 0, picture.height,
                             converted_->data, converted_->linesize);
  return rows == height_ ? converted_.get() : nullptr;
}

bool PixelConversion::prepare(const AVFrame& picture) {
  const bool same_size = picture.width == width_ && picture.height == height_;
  const int accurate = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
  const auto source = static_cast<AVPixelFormat>(picture.format);
  context_.reset(sws_getCachedContext(
      context_.release(), picture.width, picture.height, source, width_, height_, format_,
      (same_size ? SWS_BICUBIC : SWS_AREA) | accurate, nullptr, nullptr, nullptr));
  if (!context_) return false;
  if (!is_grey(source) || !is_grey(format_)) set_colours(picture);
  if (converted_) return true;
  // A frame of its own, aligned: swscale may write beyond the end of an unpadded row.
  converted_ = new_frame();
  converted_->width = width_;
  converted_->height = height_;
  converted_->format = format_;
  if (av_frame_get_buffer(converted_.get(), 0) < 0) throw std::bad_alloc();
  return true;
}

/// Grey and RGB use all codes. YUV does so where the picture says it, and never in what we make.
void PixelConversion::set_colours(const AVFrame& picture) {
  const auto source = static_cast<AVPixelFormat>(picture.format);
  const int* const table = sws_getCoefficients(picture.colorspace);
  const bool full = is_grey(source) || picture.color_range == AVCOL_RANGE_JPEG;
  const bool full_result = is_grey(format_) || is_rgb(format_);
  // Between formats without a range the call says no, and nothing needs to change.
  sws_setColorspaceDetails(context_.get(), table, full ? 1 : 0, table, full_result ? 1 : 0, 0,
                           1 << 16, 1 << 16);
}

}  // namespace sunder
