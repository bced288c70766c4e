#include "video/frames/raw_frames.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sunder/core/error.hpp"
#include "video/frames/frame_size.hpp"

namespace sunder {

namespace {

/// FFmpeg's own bound on what it can address in a picture.
void require_size(const FrameOptions& options) {
  constexpr Index most = 1 << 20;
  const bool possible =
      options.raw_width > 0 && options.raw_height > 0 && options.raw_width <= most &&
      options.raw_height <= most &&
      av_image_check_size(static_cast<unsigned>(options.raw_width),
                          static_cast<unsigned>(options.raw_height), 0, nullptr) >= 0;
  if (possible) return;
  throw OptionError(
      fmt::format("raw frames need their size, and {} x {} is none; give width and height",
                  options.raw_width, options.raw_height));
}

AVPixelFormat parse_pixels(const std::string& name) {
  const AVPixelFormat pixels = av_get_pix_fmt(name.c_str());
  if (pixels == AV_PIX_FMT_NONE || sws_isSupportedInput(pixels) == 0) {
    throw OptionError(fmt::format(
        "'{}' is no pixel format that FFmpeg converts; gray, gray16le, rgb24 and yuv420p are some",
        name));
  }
  return pixels;
}

}  // namespace

RawFrames::RawFrames(int descriptor, const FrameOptions& options)
    : descriptor_(descriptor),
      options_(options),
      range_(options),
      pixels_(parse_pixels(options.raw_format)) {
  require_size(options);
  choose_format();
  advance();
  if (pending_) return;
  if (options_.stop && options_.stop()) throw Cancelled();
  throw InputError(fmt::format(
      "cannot read raw frames from standard input: it ended after {} frames of {} bytes, and the "
      "range begins at frame {}",
      read_, buffer_.size(), range_.first));
}

void RawFrames::choose_format() {
  const auto width = static_cast<int>(options_.raw_width);
  const auto height = static_cast<int>(options_.raw_height);
  const int bytes = av_image_get_buffer_size(pixels_, width, height, 1);
  if (bytes <= 0) throw OptionError(fmt::format("{} x {} pixels are too many", width, height));
  buffer_.resize(bytes);
  const bool grey = options_.grey || is_grey(pixels_);
  const bool deep = is_deep(pixels_);
  format_.height = scaled_extent(height, options_.scale);
  format_.width = scaled_extent(width, options_.scale);
  format_.channels = grey ? 1 : 3;
  format_.bits = deep ? 16 : 8;
  const AVPixelFormat target = deep ? (grey ? AV_PIX_FMT_GRAY16 : AV_PIX_FMT_RGB48)
                                    : (grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24);
  if (target == pixels_ && format_.height == height && format_.width == width) return;
  conversion_.emplace(static_cast<int>(format_.width), static_cast<int>(format_.height), target);
}

double RawFrames::frames_per_second() const {
  return options_.fps / static_cast<double>(range_.stride);
}

/// Waits in short turns, so that a request to stop is heard.
bool RawFrames::read_frame() {
  std::size_t have = 0;
  while (have < buffer_.size()) {
    if (options_.stop && options_.stop()) return false;
    pollfd waiting{descriptor_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, 100);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(descriptor_, buffer_.data() + have, buffer_.size() - have);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) {
      warnings_.add(fmt::format("standard input broke off after {} frames ({})", read_,
                                std::generic_category().message(errno)));
      return false;
    }
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  if (have > 0 && have < buffer_.size()) {
    warnings_.add(
        fmt::format("standard input ended within frame {}: {} of {} bytes came, and it is left out",
                    read_, have, buffer_.size()));
  }
  return have == buffer_.size();
}

void RawFrames::advance() {
  pending_ = false;
  while (!pending_ && !ended_) {
    ended_ = read_ >= range_.last || !read_frame();
    if (!ended_) pending_ = range_.takes(read_++);
  }
}

void RawFrames::deliver(Frame& frame) {
  if (!conversion_) {
    frame.bytes = buffer_;
    return;
  }
  const LibavOwned<AVFrame> picture = new_frame();
  picture->width = static_cast<int>(options_.raw_width);
  picture->height = static_cast<int>(options_.raw_height);
  picture->format = pixels_;
  av_image_fill_arrays(picture->data, picture->linesize, buffer_.data(), pixels_, picture->width,
                       picture->height, 1);
  const AVFrame* const converted = conversion_->convert(*picture);
  if (converted == nullptr) {
    throw InputError(fmt::format("raw frames in {} cannot be converted; use another pixel format",
                                 options_.raw_format));
  }
  const auto height = static_cast<int>(format_.height);
  const auto row = static_cast<int>(format_.bytes() / format_.height);
  frame.bytes.resize(format_.bytes());
  av_image_copy_plane(frame.bytes.data(), row, converted->data[0], converted->linesize[0], row,
                      height);
}

bool RawFrames::next(Frame& frame) {
  if (!pending_) advance();
  if (!pending_) return false;
  deliver(frame);
  pending_ = false;
  return true;
}

}  // namespace sunder
