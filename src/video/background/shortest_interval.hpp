#pragma once
/// P1: where most samples of a pixel crowd together.

#include <functional>
#include <span>
#include <vector>

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

/// The brightness of each frame, by medians over some pixels: of a pixel over time, and then of the
/// ratios of a frame to them. About 1 where the light does not change.
std::vector<double> rough_gains(std::span<const Frame> frames, const FrameFormat& format);

/// Calls take(value, crowd) for every value of the frames, each divided by its gain; values are
/// counted channel by channel. By several threads.
void find_crowds(std::span<const Frame> frames, std::span<const double> gains,
                 const FrameFormat& format, double share, int threads,
                 const std::function<void(std::size_t, const Crowd&)>& take);

}  // namespace sunder
