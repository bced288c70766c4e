#pragma once
/// Frames of a video: where they come from and where they go (docs/video.md).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Every frame of a clip has the same format. Pixels are stored as codes from 0 to `peak`;
/// value = offset + scale * code gives back the units of an array of another type.
struct FrameFormat {
  Index height = 0;
  Index width = 0;
  Index channels = 1;  ///< 1: grey, 3: red, green, blue
  int bits = 8;        ///< 8: codes are std::uint8_t, 16: std::uint16_t
  double offset = 0;
  double scale = 1;

  Index pixels() const { return height * width; }
  Index values() const { return pixels() * channels; }
  Index bytes() const { return values() * bits / 8; }
  double peak() const { return bits == 8 ? 255 : 65535; }
  friend bool operator==(const FrameFormat&, const FrameFormat&) = default;
};

/// Row by row, channels adjacent.
struct Frame {
  std::vector<std::uint8_t> bytes;

  const std::uint8_t* codes8() const { return bytes.data(); }
  const std::uint16_t* codes16() const {
    return reinterpret_cast<const std::uint16_t*>(bytes.data());
  }
};

/// Frames, one after the other.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  virtual FrameFormat format() const = 0;
  virtual double frames_per_second() const = 0;  ///< 0 where the source does not say
  virtual Index expected_frames() const = 0;     ///< -1 where the source does not say

  /// The next frame; false after the last one that could be read. Throws only where nothing can be
  /// read; damage after the first frame ends or interrupts the clip and is told by warnings().
  virtual bool next(Frame& frame) = 0;

  /// Whether rewind() will work; not for standard input or a camera.
  virtual bool can_rewind() const { return true; }
  /// Back to the first frame; false if the source cannot.
  virtual bool rewind() = 0;

  /// What was wrong with the frames read so far, in sentences for people: where a file breaks off,
  /// which frames were damaged or left out.
  virtual std::vector<std::string> warnings() const = 0;
};

/// Takes the frames of one output (background, foreground or mask).
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  virtual void write(const Frame& frame) = 0;
  /// Completes the output under its final name. Without it nothing is left behind.
  virtual void finish() = 0;
};

}  // namespace sunder
