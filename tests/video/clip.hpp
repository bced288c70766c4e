#pragma once
/// Small clips for tests, and all frames of a source.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sunder/video/open_frames.hpp"
#include "sunder/video/write_frames.hpp"

namespace sunder::testing {

inline FrameFormat clip_format(Index height, Index width, Index channels = 1, int bits = 8) {
  FrameFormat format;
  format.height = height;
  format.width = width;
  format.channels = channels;
  format.bits = bits;
  return format;
}

/// The code at a place: no two frames, rows, columns or channels alike.
inline int clip_code(Index row, Index column, Index channel, Index time, int bits) {
  const Index code = row * 3 + column * 2 + channel * 40 + time * 7;
  return static_cast<int>(bits == 8 ? code % 256 : code * 251 % 65536);
}

inline int code_at(const Frame& frame, const FrameFormat& format, Index row, Index column,
                   Index channel) {
  const Index at = (row * format.width + column) * format.channels + channel;
  return format.bits == 8 ? frame.codes8()[at] : frame.codes16()[at];
}

inline Frame clip_frame(const FrameFormat& format, Index time) {
  Frame frame;
  frame.bytes.resize(format.bytes());
  for (Index p = 0; p < format.values(); ++p) {
    const Index pixel = p / format.channels;
    const int code = clip_code(pixel / format.width, pixel % format.width, p % format.channels,
                               time, format.bits);
    if (format.bits == 8) {
      frame.bytes[p] = static_cast<std::uint8_t>(code);
    } else {
      reinterpret_cast<std::uint16_t*>(frame.bytes.data())[p] = static_cast<std::uint16_t>(code);
    }
  }
  return frame;
}

inline WriteOptions lossless() {
  WriteOptions options;
  options.lossless = true;
  return options;
}

inline void write_clip(const std::filesystem::path& path, const FrameFormat& format, Index frames,
                       const WriteOptions& options = {}, double fps = 25) {
  const std::unique_ptr<FrameSink> sink = create_frames(path, format, fps, options);
  for (Index time = 0; time < frames; ++time) sink->write(clip_frame(format, time));
  sink->finish();
}

inline std::vector<Frame> all_frames(FrameSource& source) {
  std::vector<Frame> frames;
  for (Frame frame; source.next(frame);) frames.push_back(frame);
  return frames;
}

/// The largest difference between a frame and the one of a clip at that time.
inline int distance(const Frame& frame, const FrameFormat& format, Index time) {
  const Frame truth = clip_frame(format, time);
  if (frame.bytes.size() != truth.bytes.size()) return 1 << 20;
  int largest = 0;
  for (Index p = 0; p < format.values(); ++p) {
    const int difference = format.bits == 8 ? frame.codes8()[p] - truth.codes8()[p]
                                            : frame.codes16()[p] - truth.codes16()[p];
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

/// Frames first, first + stride, ... of a clip, exactly.
inline void expect_clip(const std::vector<Frame>& frames, const FrameFormat& format, Index count,
                        Index first = 0, Index stride = 1) {
  ASSERT_EQ(std::ssize(frames), count);
  for (Index k = 0; k < count; ++k) {
    EXPECT_EQ(distance(frames[k], format, first + k * stride), 0) << "frame " << k;
  }
}

}  // namespace sunder::testing
