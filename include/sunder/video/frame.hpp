#pragma once
/// The frames of a video, where they come from and where they go (docs/video.md).

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

/// The codes of a frame row by row, with the channels of a pixel next to each other.
struct Frame {
  std::vector<std::uint8_t> bytes;

  const std::uint8_t* codes8() const { return bytes.data(); }
  const std::uint16_t* codes16() const {
    return reinterpret_cast<const std::uint16_t*>(bytes.data());
  }
};

/// Gives frames one after the other.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  virtual FrameFormat format() const = 0;
  virtual double frames_per_second() const = 0;  ///< 0 where the source does not say
  virtual Index expected_frames() const = 0;     ///< -1 where the source does not say

  /// Reads the next frame; returns false after the last one. Throws only if nothing can be read:
  /// damage after the first frame ends or interrupts the clip, and warnings() reports it.
  virtual bool next(Frame& frame) = 0;

  /// Whether rewind() will work. Standard input and cameras cannot rewind.
  virtual bool can_rewind() const { return true; }
  /// Goes back to the first frame; returns false if the source cannot.
  virtual bool rewind() = 0;

  /// Says in sentences what was wrong with the frames read so far: where a file breaks off, and
  /// which frames were damaged or left out.
  virtual std::vector<std::string> warnings() const = 0;
};

/// Takes the frames of one output (background, foreground or mask).
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  virtual void write(const Frame& frame) = 0;
  /// Completes the output under its final name. Without this call nothing is left behind.
  virtual void finish() = 0;
};

}  // namespace sunder
