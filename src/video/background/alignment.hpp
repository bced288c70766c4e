#pragma once
/// The alignment measures camera shake: by how many pixels a frame has moved against a reference.

#include <vector>

#include "sunder/video/background.hpp"
#include "sunder/video/frame.hpp"

namespace sunder {

/// The pyramid holds the grey levels of a frame at several sizes. Each level has half the sides of
/// the one before.
class GreyPyramid {
 public:
  GreyPyramid() = default;
  GreyPyramid(const Frame& frame, const FrameFormat& format);

  struct Level {
    Index height = 0;
    Index width = 0;
    std::vector<float> values;
    float at(Index i, Index j) const { return values[i * width + j]; }
  };
  const std::vector<Level>& levels() const { return levels_; }
  Index step() const { return step_; }  ///< pixels of the frame for each one of the finest level
  bool empty() const { return levels_.empty(); }

 private:
  std::vector<Level> levels_;
  Index step_ = 1;
};

/// Returns the shift (y, x) for which the frame shows at (i + y, j + x) what the reference has at
/// (i, j). It takes robust Gauss-Newton steps for shift and brightness, from the coarsest level to
/// the finest, so that moving objects have little influence.
Shift find_shift(const GreyPyramid& reference, const GreyPyramid& frame);

/// Returns the frame moved onto the reference by bilinear interpolation. Its outermost pixels are
/// repeated where it shows nothing.
Frame moved_back(const Frame& frame, const FrameFormat& format, const Shift& shift);

/// Returns a mask of the reference's pixels as a mask of the frame's pixels.
std::vector<std::uint8_t> moved_mask(const std::vector<std::uint8_t>& mask,
                                     const FrameFormat& format, const Shift& shift);

/// Sets the pixels of the reference that the frame does not show to `value`.
void paint_unseen(std::vector<std::uint8_t>& plane, const FrameFormat& format, const Shift& shift,
                  std::uint8_t value);

/// Returns the median length of the shifts of some of the frames against the middle one.
double typical_shift(const std::vector<const Frame*>& frames, const FrameFormat& format);

}  // namespace sunder
