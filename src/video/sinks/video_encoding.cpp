#include "video/sinks/video_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// Version 3 has a checksum for each slice, so that a reader notices damage.
VideoEncoding ffv1(const FrameFormat& format) {
  const bool grey = format.channels == 1;
  const AVPixelFormat pixels = format.bits == 8 ? (grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_BGR0)
                                                : (grey ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_RGB48LE);
  return {"ffv1", pixels, 0, {{"level", "3"}, {"slicecrc", "1"}, {"g", "1"}}};
}

/// Every player shows 4:2:0, which halves the colours and so needs even sizes.
AVPixelFormat shown_everywhere(const FrameFormat& format) {
  const bool even = format.height % 2 == 0 && format.width % 2 == 0;
  return even ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P;
}

/// Three clips are encoded at a time: each looks ahead by a few frames only, which would otherwise
/// take most of the memory.
VideoEncoding x264(const FrameFormat& format, const WriteOptions& options) {
  if (options.lossless && format.channels == 3) {
    return {"libx264rgb", AV_PIX_FMT_RGB24, 0, {{"preset", "veryfast"}, {"qp", "0"}}};
  }
  if (options.lossless) {
    return {"libx264", AV_PIX_FMT_GRAY8, 0, {{"preset", "veryfast"}, {"qp", "0"}}};
  }
  return {"libx264",
          shown_everywhere(format),
          0,
          {{"preset", "veryfast"},
           {"crf", options.mask ? "2" : "18"},
           {"rc-lookahead", "4"},
           {"bf", "0"}}};
}

VideoEncoding vp9(const FrameFormat& format, const WriteOptions& options) {
  std::vector<std::pair<std::string, std::string>> settings = {{"deadline", "good"},
                                                               {"cpu-used", "5"}};
  if (options.lossless || options.mask) {
    settings.emplace_back("lossless", "1");
    return {"libvpx-vp9", options.lossless ? AV_PIX_FMT_GBRP : shown_everywhere(format), 0,
            settings};
  }
  settings.emplace_back("crf", "20");
  settings.emplace_back("b", "0");
  return {"libvpx-vp9", shown_everywhere(format), 0, settings};
}

VideoEncoding mpeg4(const WriteOptions& options) {
  return {"mpeg4", AV_PIX_FMT_YUV420P, options.mask ? 1 : 2, {}};
}

std::vector<VideoEncoding> candidates(const std::string& extension, const FrameFormat& format,
                                      const WriteOptions& options) {
  const bool exact = options.lossless || options.mask;
  if (extension == ".webm") return {vp9(format, options)};
  if (exact && (extension == ".mkv" || extension == ".avi")) return {ffv1(format)};
  if (options.lossless) return {x264(format, options)};
  if (extension == ".avi") return {mpeg4(options)};
  return {x264(format, options), mpeg4(options)};
}

}  // namespace

bool is_video_name(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> known = {".mp4", ".m4v", ".mov",
                                                     ".mkv", ".avi", ".webm"};
  return std::find(known.begin(), known.end(), extension_of(path)) != known.end();
}

VideoEncoding choose_encoding(const std::filesystem::path& path, const FrameFormat& format,
                              const WriteOptions& options) {
  const std::string extension = extension_of(path);
  if (options.lossless && format.bits == 16 && extension != ".mkv" && extension != ".avi") {
    throw OutputError(
        fmt::format("cannot write {}: {} does not hold 16 bits without loss; write .mkv, .avi, "
                    ".npy or numbered .png",
                    path.string(), extension));
  }
  std::string names;
  for (VideoEncoding& encoding : candidates(extension, format, options)) {
    if (avcodec_find_encoder_by_name(encoding.encoder.c_str()) != nullptr) return encoding;
    names += (names.empty() ? "" : ", ") + encoding.encoder;
  }
  throw OutputError(
      fmt::format("cannot write {}: FFmpeg lacks the encoder for it here ({}); write .mkv, .npy or "
                  "numbered .png",
                  path.string(), names));
}

}  // namespace sunder
