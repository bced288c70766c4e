#pragma once
/// The steps of the background model, from which the batch and the stream are put together. P1, P2
/// and P3 are the phases of docs/methods/video.md.
///
/// x   codes of the current frame        b  background image      v  variance of its noise
/// g   gain of the frame                 e  energy of a pixel
/// M   mask: the pixels around which the mean energy of 5 x 5 pixels is above the threshold
/// K   the pixels to learn from: those with no pixel of M within 5 x 5

#include <vector>

#include "sunder/video/background.hpp"
#include "video/background/alignment.hpp"
#include "video/background/planes.hpp"

namespace sunder {

struct BackgroundModel::State {
  State(const FrameFormat& frame_format, const BackgroundOptions& background_options);

  /// Does P1. It takes the noise to be at most `most_noise`.
  void start(std::span<const Frame> frames, double most_noise);
  /// Does P2, once over the frames.
  void refine(std::span<const Frame> frames);

  /// Makes this frame the current one. It must live until the next one is taken.
  void take(const Frame& frame);
  /// Returns sum b x / sum b^2 over the pixels that look like the background at the guessed gain.
  double gain() const;
  /// Returns the median of x / b over some pixels, or 1 unless the median explains clearly more.
  double guess_gain() const;
  /// Finds M of the current frame, before small objects are dropped and holes are filled.
  void find_mask(double gain, std::vector<std::uint8_t>& mask);
  /// Finds K from M.
  void find_keep(const std::vector<std::uint8_t>& mask);
  /// Moves b and v towards the frame on K.
  void follow(double gain);
  /// Does P3 for the current frame.
  FrameDecision decide() { return decide_at(gain()); }
  FrameDecision decide_at(double gain);

  /// Sets the reference that frames are aligned with, if the camera shakes.
  void look_for_shake(std::span<const Frame> frames);
  bool aligns() const { return !reference.empty(); }
  /// Returns a frame moved onto the reference, and by how much it was moved. The camera must shake.
  Frame aligned(const Frame& frame, Shift& shift) const;

  std::size_t at(Index pixel, Index channel) const {
    return static_cast<std::size_t>(channel * format.pixels() + pixel);
  }

  FrameFormat format;
  BackgroundOptions options;
  int threads = 1;
  float unit = 1;  // grey levels for each code

  std::vector<float> image;     // b, channel by channel
  std::vector<float> variance;  // v
  std::vector<float> count;     // number of frames that b of a pixel was learned from, at least 1

  GreyPyramid reference;  // of the frame that others are aligned with; empty without shake
  Frame reference_frame;  // the frame that the reference was made from

  std::vector<float> energy;
  std::vector<std::uint8_t> joined;  // rows of M, each joined with two on both sides, padded
  std::vector<std::uint8_t> keep;
  Planes<std::uint8_t> planes8;
  Planes<std::uint16_t> planes16;

 private:
  template <class F>
  void with_planes(F&& f) const {
    if (format.bits == 8) {
      f(planes8);
    } else {
      f(planes16);
    }
  }
  void find_energy(double gain);
};

}  // namespace sunder
