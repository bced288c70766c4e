#pragma once
/// Which encoder writes a video, and how.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/video/libav.hpp"
#include "sunder/video/write_frames.hpp"

namespace sunder {

struct VideoEncoding {
  std::string encoder;  ///< as FFmpeg calls it
  AVPixelFormat pixels = AV_PIX_FMT_NONE;
  int quantizer = 0;  ///< fixed, for encoders without a constant quality; 0: not used
  std::vector<std::pair<std::string, std::string>> options;
};

/// Whether the name is that of a video we write.
bool is_video_name(const std::filesystem::path& path);

/// The first encoder that FFmpeg has here of those for the container. Throws OutputError if there
/// is none, or if the container cannot hold 16 bits without loss.
VideoEncoding choose_encoding(const std::filesystem::path& path, const FrameFormat& format,
                              const WriteOptions& options);

}  // namespace sunder
