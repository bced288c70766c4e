#pragma once
/// Camera shake: by how many pixels a frame has moved against a reference.

#include <vector>

#include "sunder/video/background.hpp"
#include "sunder/video/frame.hpp"

namespace sunder {

/// Grey levels of a frame, reduced; each level of the pyramid has half the sides of the one before.
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
  Index step() const { return step_; }  ///< pixels of the frame for one of the finest level
  bool empty() const { return levels_.empty(); }

 private:
  std::vector<Level> levels_;
  Index step_ = 1;
};

/// The frame at (i + y, j + x) shows what the reference has at (i, j). By robust Gauss-Newton steps
/// for shift and brightness, from the coarsest level to the finest: moving objects have little part
/// in it.
Shift find_shift(const GreyPyramid& reference, const GreyPyramid& frame);

/// The frame moved onto the reference, by bilinear interpolation; its outermost pixels are repeated
/// where it shows nothing.
Frame moved_back(const Frame& frame, const FrameFormat& format, const Shift& shift);

/// A mask of the reference's pixels as one of the frame's.
std::vector<std::uint8_t> moved_mask(const std::vector<std::uint8_t>& mask,
                                     const FrameFormat& format, const Shift& shift);

/// Sets the pixels of the reference that the frame does not show to `value`.
void paint_unseen(std::vector<std::uint8_t>& plane, const FrameFormat& format, const Shift& shift,
                  std::uint8_t value);

/// The median length of the shifts of some of the frames against the middle one.
double typical_shift(const std::vector<const Frame*>& frames, const FrameFormat& format);

}  // namespace sunder
