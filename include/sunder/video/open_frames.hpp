#pragma once
/// Reads frames from files, folders of images, arrays, streams and cameras (docs/video_io.md).

#include <functional>
#include <memory>
#include <string>

#include "sunder/video/frame.hpp"

namespace sunder {

struct FrameOptions {
  Index first = 0;    ///< number of the first frame to take, counted from 0
  Index last = -1;    ///< one past the last frame to take; -1: until the end
  Index stride = 1;   ///< take every stride-th frame
  double scale = 1;   ///< scales height and width by averaging areas; above 0 and at most 1
  bool grey = false;  ///< turn colours into their luma (ITU-R BT.601)
  /// Modes of an array, one letter each: height, width, channel, time. Empty: "hwt" for three
  /// modes, "hwct" for four.
  std::string layout;
  Index raw_width = 0;              ///< width of frames on standard input, or asked of a camera
  Index raw_height = 0;             ///< height of the same
  std::string raw_format = "gray";  ///< pixels on standard input, as FFmpeg calls them
  double fps = 0;   ///< frames per second of the source, before `stride`; 0: what it says itself
  int threads = 1;  ///< for the decoder
  double timeout_seconds = 10;  ///< a network address or camera without data for so long has ended
  /// Called often, also while waiting for data. Once it answers true, the clip ends, or open_frames
  /// throws Cancelled.
  std::function<bool()> stop;
};

/// `address` is a file that FFmpeg decodes; images named by number (`frame_%04d.png`) or by pattern
/// (`*.png`) if no file has that very name; an array (`.npy`, `.mat`, HDF5 as `file.h5:/name`); `-`
/// for raw frames on standard input; `rtsp://...`, `http://...` and the like; or `/dev/video0`.
/// Only names with "://" open the network. Video of more than 8 bits per channel and arrays of
/// other types than uint8 come in 16 bits. Throws InputError if not one frame can be had,
/// OptionError for an option outside its range.
std::unique_ptr<FrameSource> open_frames(const std::string& address, const FrameOptions& options);

}  // namespace sunder
