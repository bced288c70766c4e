#include "video/frames/video_frames.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"
#include "video/frames/frame_size.hpp"

namespace sunder {

VideoFrames::VideoFrames(VideoInput input, const FrameOptions& options)
    : input_(std::move(input)), options_(options), range_(options) {
  open();
  choose_format();
}

void VideoFrames::open() {
  picture_ = nullptr;
  const DecodingOptions decoding{options_.threads, options_.timeout_seconds, options_.stop};
  decoder_ = std::make_unique<VideoDecoder>(input_, decoding, warnings_);
  advance();
  require_frame();
  width_ = picture_->width;
  height_ = picture_->height;
}

/// To the next picture of the range.
void VideoFrames::advance() {
  do {
    picture_ = decoder_->position() < range_.last ? decoder_->next() : nullptr;
  } while (picture_ != nullptr && !range_.takes(decoder_->position() - 1));
}

void VideoFrames::require_frame() const {
  if (picture_ != nullptr) return;
  if (decoder_->stopped()) throw Cancelled();
  const Index frames = decoder_->position();
  if (frames > 0 && frames <= range_.first) {
    throw InputError(
        fmt::format("cannot read the video {}: it holds {} frames, and the range begins at frame "
                    "{}; the first frame is 0",
                    input_.name, frames, range_.first));
  }
  throw InputError(fmt::format(
      "cannot read the video {}: not one frame {}could be decoded; copy or convert it again",
      input_.name, range_.first > 0 ? "of the range " : ""));
}

void VideoFrames::choose_format() {
  const auto pixels = static_cast<AVPixelFormat>(picture_->format);
  const bool grey = options_.grey || is_grey(pixels);
  const bool deep = is_deep(pixels);
  format_.height = scaled_extent(picture_->height, options_.scale);
  format_.width = scaled_extent(picture_->width, options_.scale);
  format_.channels = grey ? 1 : 3;
  format_.bits = deep ? 16 : 8;
  conversion_.emplace(static_cast<int>(format_.width), static_cast<int>(format_.height),
                      deep ? (grey ? AV_PIX_FMT_GRAY16 : AV_PIX_FMT_RGB48)
                           : (grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24));
}

double VideoFrames::frames_per_second() const {
  const double rate = options_.fps > 0 ? options_.fps : decoder_->frames_per_second();
  return rate / static_cast<double>(range_.stride);
}

void VideoFrames::note_size() {
  if (picture_->width == width_ && picture_->height == height_) return;
  warnings_.add(fmt::format(
      "{}: from frame {} on it is {} x {} where it was {} x {}; all frames "
      "are scaled to the size of the first",
      input_.name, decoder_->position() - 1, picture_->width, picture_->height, width_, height_));
  width_ = picture_->width;
  height_ = picture_->height;
}

bool VideoFrames::convert(Frame& frame) {
  note_size();
  const AVFrame* const converted = conversion_->convert(*picture_);
  if (converted == nullptr) {
    warnings_.add(fmt::format("{}: frame {} is left out, its pixels cannot be converted",
                              input_.name, decoder_->position() - 1));
    return false;
  }
  const auto height = static_cast<int>(format_.height);
  const auto row = static_cast<int>(format_.bytes() / format_.height);
  frame.bytes.resize(format_.bytes());
  av_image_copy_plane(frame.bytes.data(), row, converted->data[0], converted->linesize[0], row,
                      height);
  return true;
}

bool VideoFrames::next(Frame& frame) {
  bool taken = false;
  while (!taken) {
    if (picture_ == nullptr) advance();
    if (picture_ == nullptr) return false;
    taken = convert(frame);
    picture_ = nullptr;
  }
  return true;
}

bool VideoFrames::rewind() {
  if (input_.live) return false;
  open();
  return true;
}

}  // namespace sunder
