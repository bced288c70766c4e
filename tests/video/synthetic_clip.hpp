#pragma once
/// Clips whose objects are known: a textured background with noise, and a bright or dark square
/// that moves over it.

#include <algorithm>
#include <cmath>
#include <vector>

#include "sunder/core/rng.hpp"
#include "sunder/video/background.hpp"
#include "sunder/video/frame.hpp"

namespace sunder::testing {

struct ClipOptions {
  Index height = 60;
  Index width = 80;
  Index channels = 1;
  int bits = 8;
  int frames = 60;
  double noise = 3;
  int side = 14;             ///< of the square; 0: nothing moves
  double contrast = 70;      ///< of the square, grey levels
  double flicker = 0;        ///< amplitude of the brightness over time, relative
  double relief = 1;         ///< how fine the background is
  std::vector<Shift> shake;  ///< of each frame; empty: the camera stands still
  std::uint64_t seed = 1;
};

inline ClipOptions clip_of(int frames) {
  ClipOptions options;
  options.frames = frames;
  return options;
}

struct Clip {
  FrameFormat format;
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint8_t>> truth;  ///< 255 = object
};

/// Where the square is in a frame: it crosses the picture.
inline bool in_square(const ClipOptions& options, int t, Index i, Index j) {
  if (options.side == 0) return false;
  const Index top = options.height / 3;
  const Index left = (3 * t) % (options.width + options.side) - options.side;
  return i >= top && i < top + options.side && j >= left && j < left + options.side;
}

inline Clip make_clip(const ClipOptions& options) {
  Clip clip;
  clip.format.height = options.height;
  clip.format.width = options.width;
  clip.format.channels = options.channels;
  clip.format.bits = options.bits;
  Rng rng(options.seed, 0);
  const double unit = clip.format.peak() / 255;
  for (int t = 0; t < options.frames; ++t) {
    Frame frame;
    frame.bytes.resize(clip.format.bytes());
    std::vector<std::uint8_t> truth(clip.format.pixels(), 0);
    const Shift shift = options.shake.empty() ? Shift{} : options.shake[t];
    const double gain = 1 + options.flicker * std::sin(0.3 * t);
    for (Index i = 0; i < options.height; ++i) {
      for (Index j = 0; j < options.width; ++j) {
        const bool object = in_square(options, t, i, j);
        truth[i * options.width + j] = object ? 255 : 0;
        for (Index c = 0; c < options.channels; ++c) {
          const double y = options.relief * (static_cast<double>(i) - shift.y);
          const double x = options.relief * (static_cast<double>(j) - shift.x);
          const double back = 90 + 30 * std::sin(y / 7 + static_cast<double>(c)) +
                              20 * std::cos(x / 9) + 10 * std::sin((x + y) / 5);
          const double level =
              gain * (back + (object ? options.contrast : 0)) + options.noise * rng.normal();
          const auto k = static_cast<std::size_t>((i * options.width + j) * options.channels + c);
          const double code = std::clamp(unit * level + 0.5, 0.0, clip.format.peak());
          if (options.bits == 8) {
            frame.bytes[k] = static_cast<std::uint8_t>(code);
          } else {
            reinterpret_cast<std::uint16_t*>(frame.bytes.data())[k] =
                static_cast<std::uint16_t>(code);
          }
        }
      }
    }
    clip.frames.push_back(std::move(frame));
    clip.truth.push_back(std::move(truth));
  }
  return clip;
}

/// F of masks against the truth, from the frame `first` on.
inline double f_of(const Clip& clip, const std::vector<std::vector<std::uint8_t>>& masks,
                   std::size_t first = 0) {
  double hits = 0;
  double found = 0;
  double wanted = 0;
  for (std::size_t t = first; t < masks.size(); ++t) {
    for (std::size_t p = 0; p < masks[t].size(); ++p) {
      hits += masks[t][p] != 0 && clip.truth[t][p] != 0 ? 1 : 0;
      found += masks[t][p] != 0 ? 1 : 0;
      wanted += clip.truth[t][p] != 0 ? 1 : 0;
    }
  }
  return found + wanted == 0 ? 1 : 2 * hits / (found + wanted);
}

/// Frames of a clip as a source.
class ClipSource : public FrameSource {
 public:
  explicit ClipSource(const Clip& clip, bool can_rewind = true, Index repeat = 1)
      : clip_(clip), can_rewind_(can_rewind), repeat_(repeat) {}
  FrameFormat format() const override { return clip_.format; }
  double frames_per_second() const override { return 25; }
  Index expected_frames() const override { return -1; }
  bool next(Frame& frame) override {
    const auto length = std::ssize(clip_.frames);
    if (at_ >= length * repeat_) return false;
    frame = clip_.frames[at_++ % length];
    return true;
  }
  bool can_rewind() const override { return can_rewind_; }
  bool rewind() override {
    if (can_rewind_) at_ = 0;
    return can_rewind_;
  }
  std::vector<std::string> warnings() const override { return {}; }

 private:
  const Clip& clip_;
  bool can_rewind_;
  Index repeat_;
  Index at_ = 0;
};

}  // namespace sunder::testing
