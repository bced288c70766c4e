#include "sunder/video/open_frames.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/files/open_array.hpp"
#include "sunder/core/error.hpp"
#include "video/frames/array_frames.hpp"
#include "video/frames/image_input.hpp"
#include "video/frames/raw_frames.hpp"
#include "video/frames/stream_input.hpp"
#include "video/frames/video_frames.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw OptionError(message);
}

bool is_layout(std::string layout) {
  std::sort(layout.begin(), layout.end());
  return layout.empty() || layout == "htw" || layout == "chtw";
}

void validate(const FrameOptions& options) {
  require(options.first >= 0,
          fmt::format("the range begins at frame {}; the first frame is 0", options.first));
  require(options.last < 0 || options.last > options.first,
          fmt::format("the range from frame {} to before frame {} holds none", options.first,
                      options.last));
  require(options.stride >= 1,
          fmt::format("the stride is {}; expected 1 (every frame) or more", options.stride));
  require(options.scale > 0 && options.scale <= 1,
          fmt::format("the scale is {}; expected above 0 and at most 1", options.scale));
  require(std::isfinite(options.fps) && options.fps >= 0,
          fmt::format("{} frames per second cannot be; expected more than 0, or 0 for unknown",
                      options.fps));
  require(options.threads >= 1,
          fmt::format("{} threads cannot decode; expected 1 or more", options.threads));
  require(
      options.timeout_seconds > 0,
      fmt::format("a time-out of {} s cannot be; expected more than 0", options.timeout_seconds));
  require(
      is_layout(options.layout),
      fmt::format("'{}' is no layout; expected the letters h, w, t and perhaps c, each once, in "
                  "the order of the array's modes (hwt, thw, hwct, thwc)",
                  options.layout));
}

std::unique_ptr<FrameSource> open_file(const std::string& address, const FrameOptions& options) {
  const TensorLocation place = split_location(address);
  if (std::unique_ptr<TensorFile> array = open_array(place)) {
    return std::make_unique<ArrayFrames>(std::move(array), address, options);
  }
  require_no_name(place, "a video");
  return std::make_unique<VideoFrames>(file_input(place.path), options);
}

}  // namespace

std::unique_ptr<FrameSource> open_frames(const std::string& address, const FrameOptions& options) {
  validate(options);
  if (address == "-") return std::make_unique<RawFrames>(STDIN_FILENO, options);
  if (address.find("://") != std::string::npos) {
    return std::make_unique<VideoFrames>(network_input(address), options);
  }
  std::error_code ignored;
  if (address.starts_with("/dev/video") && fs::is_character_file(address, ignored)) {
    return std::make_unique<VideoFrames>(camera_input(address, options), options);
  }
  if (!fs::exists(address, ignored) && is_image_pattern(address)) {
    return std::make_unique<VideoFrames>(image_input(address), options);
  }
  return open_file(address, options);
}

}  // namespace sunder
