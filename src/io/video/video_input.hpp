#pragma once
/// What FFmpeg is told when it opens a video.

#include <filesystem>
#include <map>
#include <string>

namespace sunder {

struct VideoInput {
  std::string name;       ///< for messages
  std::string url;        ///< as FFmpeg takes it
  std::string format;     ///< FFmpeg's name of the demuxer; empty: chosen by content
  std::string protocols;  ///< the only ones FFmpeg may use, also for what a playlist names
  std::map<std::string, std::string> options;
  bool live = false;     ///< cannot be read twice, and may fall silent
  bool has_rate = true;  ///< false where FFmpeg would invent frames per second
  std::string gap;       ///< a warning about images missing in a numbered sequence; empty: none
};

/// A file on this machine. Its name is never taken for an address, and what it names, as a playlist
/// does, may only be files.
VideoInput file_input(const std::filesystem::path& path);

}  // namespace sunder
