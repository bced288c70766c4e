#pragma once
/// P1 finds where most samples of a pixel crowd together.

#include <functional>
#include <span>
#include <vector>

#include "sunder/video/frame.hpp"

namespace sunder {

/// An interval of grey levels, of an 8-bit range, and the samples in it.
struct Crowd {
  float mean = 0;   ///< of the samples in the interval
  float width = 0;  ///< of the interval
  float count = 0;  ///< number of samples in the interval
};

/// Returns the shortest interval that holds at least `share` of the samples, from the counts of the
/// 256 levels. Of several such intervals it takes the one in the middle.
Crowd shortest_interval(const std::uint16_t counts[256], Index samples, double share);

/// Returns the brightness of each frame, which is about 1 where the light does not change. It is
/// the median, over some pixels, of the ratio of the frame to the pixel's median over time.
std::vector<double> rough_gains(std::span<const Frame> frames, const FrameFormat& format);

/// Calls take(value, crowd) for every value of a frame, with the crowd of its samples, each divided
/// by the gain of its frame. Values are numbered channel by channel. Several threads call `take`.
void find_crowds(std::span<const Frame> frames, std::span<const double> gains,
                 const FrameFormat& format, double share, int threads,
                 const std::function<void(std::size_t, const Crowd&)>& take);

}  // namespace sunder
