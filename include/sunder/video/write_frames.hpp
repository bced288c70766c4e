#pragma once
/// Writes frames as videos, images and arrays (docs/video_io.md).

#include <filesystem>
#include <memory>

#include "sunder/video/frame.hpp"

namespace sunder {

struct WriteOptions {
  /// Codes come back as they were: in .mkv and .avi those of 8 and 16 bits, in .mp4, .mov and .webm
  /// those of 8 bits. Images and arrays always keep them.
  bool lossless = false;
  /// The codes are 0 and 255; they are written so sharply that half the range tells them apart.
  bool mask = false;
  bool force = false;  ///< replace numbered images that are already there
  int threads = 1;     ///< for the encoder
};

/// The name decides what is written: a video (.mp4, .m4v, .mov, .mkv, .avi, .webm), numbered images
/// (`frame_%04d.png`, from 0), or an array (.npy: H x W x T if grey, H x W x 3 x T in colour, uint8
/// or uint16). The output appears under its name with finish(). An `fps` of 0, unknown, becomes 25.
/// Throws OutputError for a name or place that cannot be used; write() and finish() throw
/// WriteError if the data cannot be written.
std::unique_ptr<FrameSink> create_frames(const std::filesystem::path& path,
                                         const FrameFormat& format, double fps,
                                         const WriteOptions& options = {});

}  // namespace sunder
