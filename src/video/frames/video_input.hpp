#pragma once
/// How FFmpeg is to open a place.

#include <filesystem>
#include <map>
#include <string>

#include "sunder/video/open_frames.hpp"

namespace sunder {

struct VideoInput {
  std::string name;       ///< for messages
  std::string url;        ///< as FFmpeg takes it
  std::string format;     ///< FFmpeg's name of the demuxer; empty: chosen by content
  std::string protocols;  ///< the only ones FFmpeg may use, also for what a playlist names
  std::map<std::string, std::string> options;
  bool live = false;     ///< cannot be read twice, and may fall silent
  bool has_rate = true;  ///< false where FFmpeg would invent frames per second
  std::string gap;       ///< images missing in a numbered sequence, as a warning; empty: none
};

VideoInput file_input(const std::filesystem::path& path);
VideoInput network_input(const std::string& address);
/// Throws InputError if sunder was built without libavdevice.
VideoInput camera_input(const std::filesystem::path& device, const FrameOptions& options);

/// Whether the last part of a name is a pattern of image names: `%d`, `%04d`, `*`, `?`.
bool is_image_pattern(const std::string& name);
/// Throws InputError if no file matches.
VideoInput image_input(const std::filesystem::path& pattern);

}  // namespace sunder
