#include "video/sinks/png_sink.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/files/output_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

/// A name such as frame-%04d.png in its parts.
struct NumberedName {
  std::string before;
  int width = 1;
  std::string after;
};

std::optional<NumberedName> parts_of(const std::string& name) {
  const std::size_t percent = name.find('%');
  const std::size_t end = percent == std::string::npos ? percent : name.find('d', percent);
  if (end == std::string::npos || name.find('%', percent + 1) != std::string::npos) return {};
  std::string_view width = std::string_view(name).substr(percent + 1, end - percent - 1);
  if (width.starts_with('0')) width.remove_prefix(1);
  if (width.size() > 1 || width.find_first_not_of("0123456789") != std::string_view::npos) {
    return {};
  }
  return NumberedName{name.substr(0, percent), width.empty() ? 1 : width[0] - '0',
                      name.substr(end + 1)};
}

std::string numbered_name(const std::string& pattern, Index number) {
  const NumberedName parts = parts_of(pattern).value();
  return fmt::format("{}{:0{}}{}", parts.before, number, parts.width, parts.after);
}

/// What stands in the folder already under such names, as a pattern of StagedFolder.
std::string owned_names(const std::string& pattern) {
  const NumberedName parts = parts_of(pattern).value();
  return parts.before + "[0-9]*" + parts.after;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

AVPixelFormat png_pixels(const FrameFormat& format) {
  const bool grey = format.channels == 1;
  return format.bits == 8 ? (grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24)
                          : (grey ? AV_PIX_FMT_GRAY16BE : AV_PIX_FMT_RGB48BE);
}

LibavOwned<AVCodecContext> open_png_encoder(const FrameFormat& format, const fs::path& path) {
  const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_PNG);
  LibavOwned<AVCodecContext> encoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (!encoder) {
    throw OutputError(
        fmt::format("cannot write {}: FFmpeg does not write PNG here; write .npy", path.string()));
  }
  encoder->width = static_cast<int>(format.width);
  encoder->height = static_cast<int>(format.height);
  encoder->pix_fmt = png_pixels(format);
  encoder->time_base = {1, 25};
  encoder->thread_count = 1;
  if (avcodec_open2(encoder.get(), codec, nullptr) < 0) throw std::bad_alloc();
  return encoder;
}

}  // namespace

bool is_numbered_name(const fs::path& path) {
  return parts_of(path.filename().string()) &&
         path.parent_path().string().find('%') == std::string::npos;
}

PngSink::PngSink(const fs::path& pattern, const FrameFormat& format, const WriteOptions& options)
    : pattern_(pattern),
      folder_(folder_of(pattern), {owned_names(pattern.filename().string())}, options.force),
      encoder_(open_png_encoder(format, pattern)),
      packet_(new_packet()),
      picture_(format, png_pixels(format)) {}

void PngSink::write(const Frame& frame) {
  AVFrame& picture = picture_.picture_of(frame);
  picture.pts = frames_;
  int status = avcodec_send_frame(encoder_.get(), &picture);
  if (status >= 0) status = avcodec_receive_packet(encoder_.get(), packet_.get());
  if (status < 0) {
    throw WriteError(
        fmt::format("cannot write {}: FFmpeg says: {}", pattern_.string(), libav_reason(status)));
  }
  OutputFile file(folder_.path() / numbered_name(pattern_.filename().string(), frames_++));
  file.write_values(
      std::span<const std::uint8_t>(packet_->data, static_cast<std::size_t>(packet_->size)));
  av_packet_unref(packet_.get());
  file.commit();
}

void PngSink::finish() {
  if (frames_ == 0) {
    throw WriteError(fmt::format("cannot write {}: there is no frame", pattern_.string()));
  }
  folder_.publish();
}

}  // namespace sunder
