#pragma once
/// P1: where most samples of a pixel crowd together.

#include <functional>
#include <span>

#include "sunder/video/frame.hpp"

namespace sunder {

/// Grey levels of an 8-bit range.
struct Crowd {
  float mean = 0;   ///< of the samples in the interval
  float width = 0;  ///< of the interval
  float count = 0;  ///< samples in it
};

/// The shortest interval that holds at least `share` of the samples, from counts of the 256 levels;
/// of several, the one in the middle.
Crowd shortest_interval(const std::uint16_t counts[256], Index samples, double share);

/// Calls take(value, crowd) for every value of the frames, values counted channel by channel; by
/// several threads.
void find_crowds(std::span<const Frame> frames, const FrameFormat& format, double share,
                 int threads, const std::function<void(std::size_t, const Crowd&)>& take);

/// The level of a code.
inline int level_of(std::uint8_t code) { return code; }
inline int level_of(std::uint16_t code) { return (code * 255 + 32767) / 65535; }

}  // namespace sunder
