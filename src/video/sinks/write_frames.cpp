#include "sunder/video/write_frames.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sunder/core/error.hpp"
#include "video/sinks/npy_sink.hpp"
#include "video/sinks/png_sink.hpp"
#include "video/sinks/video_sink.hpp"

namespace sunder {

namespace {

constexpr double usual_rate = 25;

void validate(const FrameFormat& format, const WriteOptions& options) {
  constexpr Index most = 1 << 16;
  const bool possible = format.height > 0 && format.width > 0 && format.height <= most &&
                        format.width <= most && (format.channels == 1 || format.channels == 3) &&
                        (format.bits == 8 || format.bits == 16);
  if (!possible) {
    throw InputError(
        fmt::format("frames of {} x {} x {} with {} bits cannot be written; expected 1 or 3 "
                    "channels, 8 or 16 bits, and a size up to {}",
                    format.height, format.width, format.channels, format.bits, most));
  }
  if (options.threads < 1) {
    throw OptionError(fmt::format("{} threads cannot encode; expected 1 or more", options.threads));
  }
}

}  // namespace

std::unique_ptr<FrameSink> create_frames(const std::filesystem::path& path,
                                         const FrameFormat& format, double fps,
                                         const WriteOptions& options) {
  validate(format, options);
  const std::string extension = path.extension().string();
  if (extension == ".npy") return std::make_unique<NpySink>(path, format);
  if (extension == ".png" && is_numbered_name(path)) {
    return std::make_unique<PngSink>(path, format, options);
  }
  if (is_video_name(path)) {
    const bool known = std::isfinite(fps) && fps >= 1e-3 && fps <= 1e4;
    return std::make_unique<VideoSink>(path, format, known ? fps : usual_rate, options);
  }
  throw OutputError(
      fmt::format("cannot write frames to {}: expected a name that ends in .mp4, .m4v, .mov, .mkv, "
                  ".avi, .webm or .npy, or numbered images as in frame_%04d.png",
                  path.string()));
}

}  // namespace sunder
