#pragma once
/// The steps of the background model, which the batch and the stream put together differently.
///
/// x   codes of the frame at hand        b  background image      v  variance of its noise
/// g   gain of the frame                 e  energy of a pixel
/// M   mask: mean energy of 5 x 5 pixels above the threshold
/// K   what is kept for learning: no pixel of M within 5 x 5

#include <vector>

#include "sunder/video/background.hpp"
#include "video/background/alignment.hpp"
#include "video/background/planes.hpp"

namespace sunder {

struct BackgroundModel::State {
  State(const FrameFormat& frame_format, const BackgroundOptions& background_options);

  /// P1. The noise is taken for no larger than `most_noise`.
  void start(std::span<const Frame> frames, double most_noise);
  /// P2, once over the frames.
  void refine(std::span<const Frame> frames);

  /// Looks at a frame, which must live until the next one is taken.
  void take(const Frame& frame);
  /// sum b x / sum b^2 over pixels that look like the background at the gain guessed first.
  double gain() const;
  /// The median of x / b over some pixels, or 1 if that explains more of them.
  double guess_gain() const;
  /// M of the frame taken, as it is before small objects are dropped and holes filled.
  void find_mask(double gain, std::vector<std::uint8_t>& mask);
  /// K from M.
  void find_keep(const std::vector<std::uint8_t>& mask);
  /// b and v move towards the frame where K.
  void follow(double gain);
  /// P3 for the frame taken.
  FrameDecision decide() { return decide_at(gain()); }
  FrameDecision decide_at(double gain);

  /// If the camera shakes, sets the reference that frames are aligned with.
  void look_for_shake(std::span<const Frame> frames);
  bool aligns() const { return !reference.empty(); }
  /// Where the camera shakes: a frame moved onto the reference, and by how much.
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
  std::vector<float> count;     // frames that b of a pixel was learned from, at least 1

  GreyPyramid reference;  // that frames are aligned with; empty if the camera does not shake
  Frame reference_frame;  // that it was made from

  std::vector<float> energy;
  std::vector<std::uint8_t> joined;  // rows of M joined with those above and below, padded
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
