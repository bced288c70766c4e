#pragma once
/// Frames of a video, one after the other.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Decodes the first video stream to 8 bits per channel: grey (1 channel) if the video is grey,
/// RGB (3 channels) otherwise.
class VideoReader {
 public:
  /// Throws InputError if the file is not a video, or is one that cannot be decoded.
  explicit VideoReader(const std::filesystem::path& path);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  Index width() const;
  Index height() const;
  Index channels() const;
  Index frame_bytes() const { return width() * height() * channels(); }
  std::string codec() const;         ///< "h264"
  double frames_per_second() const;  ///< 0 where the video does not say

  /// The container's own number, or else the number of packets, for which the file is read once.
  Index count_frames() const;

  /// The next frame into `out` (frame_bytes() long): row by row, channels adjacent. False after
  /// the last one. Throws InputError for a damaged frame.
  bool next_frame(std::span<std::uint8_t> out);

 private:
  struct Decoder;
  std::unique_ptr<Decoder> decoder_;
};

/// Whether FFmpeg takes the file for a video, judging by its contents.
bool is_video(const std::filesystem::path& path);

}  // namespace sunder
