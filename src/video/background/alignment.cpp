// The alignment minimises, over the shift s and the brightness o of a frame F against a reference
// R,
//     sum_p rho(F(p + s) - R(p) - o)     with Geman-McClure weights.
// It linearises the sum by the gradient of R, which does not change from step to step.
#include "video/background/alignment.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"

namespace sunder {

namespace {

constexpr Index longest_side = 320;  // pixels of the finest level
constexpr Index least_side = 24;     // pixels of the coarsest level
constexpr int steps = 8;             // at each level, at most
constexpr double small_step = 0.01;  // pixels; a shorter step ends the level
constexpr double least_scale = 4;    // of rho, in grey levels
constexpr Index frames_looked_at = 9;
constexpr double pixels_looked_at = 5000;

using Level = GreyPyramid::Level;

float level_of(const Frame& frame, const FrameFormat& format, Index value) {
  const auto k = static_cast<std::size_t>(value);
  return format.bits == 8 ? static_cast<float>(frame.codes8()[k])
                          : static_cast<float>(frame.codes16()[k]) / 257;
}

Level halved(const Level& level) {
  Level half;
  half.height = level.height / 2;
  half.width = level.width / 2;
  for (Index i = 0; i < half.height; ++i) {
    for (Index j = 0; j < half.width; ++j) {
      half.values.push_back((level.at(2 * i, 2 * j) + level.at(2 * i, 2 * j + 1) +
                             level.at(2 * i + 1, 2 * j) + level.at(2 * i + 1, 2 * j + 1)) /
                            4);
    }
  }
  return half;
}

double interpolated(const Level& level, double y, double x) {
  const auto i = static_cast<Index>(y);
  const auto j = static_cast<Index>(x);
  const double v = y - static_cast<double>(i);
  const double u = x - static_cast<double>(j);
  const auto at = [&](Index a, Index b) { return static_cast<double>(level.at(a, b)); };
  return (1 - v) * ((1 - u) * at(i, j) + u * at(i, j + 1)) +
         v * ((1 - u) * at(i + 1, j) + u * at(i + 1, j + 1));
}

/// Takes one step of Gauss-Newton at one level and returns its length. The step uses about
/// `pixels_looked_at` pixels, which are enough for three unknowns.
double step_at(const Level& reference, const Level& frame, Shift& shift, double& offset,
               double& scale) {
  double yy = 0, yx = 0, y1 = 0, xx = 0, x1 = 0, one = 0;  // sums of the normal equations
  double ry = 0, rx = 0, r1 = 0;
  double sum_of_sizes = 0;
  double count = 0;
  const auto stride = std::max<Index>(
      1, static_cast<Index>(std::lround(std::sqrt(
             static_cast<double>(reference.height * reference.width) / pixels_looked_at))));
  for (Index i = 1; i + 1 < reference.height; i += stride) {
    const double y = static_cast<double>(i) + shift.y;
    if (y < 0 || y >= static_cast<double>(frame.height - 1)) continue;
    for (Index j = 1; j + 1 < reference.width; j += stride) {
      const double x = static_cast<double>(j) + shift.x;
      if (x < 0 || x >= static_cast<double>(frame.width - 1)) continue;
      const double r = interpolated(frame, y, x) - static_cast<double>(reference.at(i, j)) - offset;
      const double w = geman_mcclure_weight(r, scale);
      const double gy = 0.5 * static_cast<double>(reference.at(i + 1, j) - reference.at(i - 1, j));
      const double gx = 0.5 * static_cast<double>(reference.at(i, j + 1) - reference.at(i, j - 1));
      yy += w * gy * gy;
      yx += w * gy * gx;
      y1 += w * gy;
      xx += w * gx * gx;
      x1 += w * gx;
      one += w;
      ry += w * gy * r;
      rx += w * gx * r;
      r1 += w * r;
      sum_of_sizes += std::min(std::abs(r), 3 * scale);
      ++count;
    }
  }
  if (count < 16) return 0;
  scale = std::max(least_scale, 1.5 * sum_of_sizes / count);
  Eigen::Matrix3d normal;
  normal << yy, yx, y1, yx, xx, x1, y1, x1, one;
  normal.diagonal().array() += 1e-6 * (1 + normal.trace());
  const Eigen::Vector3d step = normal.ldlt().solve(Eigen::Vector3d(ry, rx, r1));
  if (!step.allFinite()) return 0;
  shift.y -= step(0);
  shift.x -= step(1);
  offset += step(2);
  return std::hypot(step(0), step(1));
}

}  // namespace

GreyPyramid::GreyPyramid(const Frame& frame, const FrameFormat& format)
    : step_((std::max(format.height, format.width) + longest_side - 1) / longest_side) {
  Level finest;
  finest.height = format.height / step_;
  finest.width = format.width / step_;
  for (Index i = 0; i < finest.height; ++i) {
    for (Index j = 0; j < finest.width; ++j) {
      float sum = 0;
      for (Index a = i * step_; a < (i + 1) * step_; ++a) {
        for (Index b = j * step_; b < (j + 1) * step_; ++b) {
          for (Index c = 0; c < format.channels; ++c) {
            sum += level_of(frame, format, (a * format.width + b) * format.channels + c);
          }
        }
      }
      finest.values.push_back(sum / static_cast<float>(step_ * step_ * format.channels));
    }
  }
  levels_.push_back(std::move(finest));
  while (std::min(levels_.back().height, levels_.back().width) >= 2 * least_side) {
    levels_.push_back(halved(levels_.back()));
  }
}

Shift find_shift(const GreyPyramid& reference, const GreyPyramid& frame) {
  Shift shift;
  double offset = 0;
  for (std::size_t k = reference.levels().size(); k-- > 0;) {
    shift.y *= 2;
    shift.x *= 2;
    double scale = 16;
    for (int step = 0; step < steps; ++step) {
      if (step_at(reference.levels()[k], frame.levels()[k], shift, offset, scale) < small_step) {
        break;
      }
    }
  }
  // A frame that shares nothing with the reference has no shift against it.
  const Level& finest = reference.levels().front();
  if (std::abs(shift.y) > 0.25 * static_cast<double>(finest.height) ||
      std::abs(shift.x) > 0.25 * static_cast<double>(finest.width)) {
    return {};
  }
  return {shift.y * static_cast<double>(reference.step()),
          shift.x * static_cast<double>(reference.step())};
}

Frame moved_back(const Frame& frame, const FrameFormat& format, const Shift& shift) {
  Frame moved;
  moved.bytes.resize(frame.bytes.size());
  const auto move = [&](const auto* from, auto* to) {
    using Code = std::remove_pointer_t<decltype(to)>;
    for (Index i = 0; i < format.height; ++i) {
      const double y =
          std::clamp(static_cast<double>(i) + shift.y, 0.0, static_cast<double>(format.height - 1));
      const auto a = static_cast<Index>(y);
      const Index below = std::min(a + 1, format.height - 1);
      const auto v = static_cast<float>(y - static_cast<double>(a));
      for (Index j = 0; j < format.width; ++j) {
        const double x = std::clamp(static_cast<double>(j) + shift.x, 0.0,
                                    static_cast<double>(format.width - 1));
        const auto b = static_cast<Index>(x);
        const Index right = std::min(b + 1, format.width - 1);
        const auto u = static_cast<float>(x - static_cast<double>(b));
        for (Index c = 0; c < format.channels; ++c) {
          const auto at = [&](Index row, Index column) {
            return static_cast<float>(from[(row * format.width + column) * format.channels + c]);
          };
          const float value = (1 - v) * ((1 - u) * at(a, b) + u * at(a, right)) +
                              v * ((1 - u) * at(below, b) + u * at(below, right));
          to[(i * format.width + j) * format.channels + c] = static_cast<Code>(std::lround(value));
        }
      }
    }
  };
  if (format.bits == 8) {
    move(frame.codes8(), moved.bytes.data());
  } else {
    move(frame.codes16(), reinterpret_cast<std::uint16_t*>(moved.bytes.data()));
  }
  return moved;
}

std::vector<std::uint8_t> moved_mask(const std::vector<std::uint8_t>& mask,
                                     const FrameFormat& format, const Shift& shift) {
  std::vector<std::uint8_t> moved(mask.size(), 0);
  const auto y = static_cast<Index>(std::lround(shift.y));
  const auto x = static_cast<Index>(std::lround(shift.x));
  for (Index i = 0; i < format.height; ++i) {
    for (Index j = 0; j < format.width; ++j) {
      const Index a = i - y;
      const Index b = j - x;
      if (a < 0 || b < 0 || a >= format.height || b >= format.width) continue;
      moved[i * format.width + j] = mask[a * format.width + b];
    }
  }
  return moved;
}

void paint_unseen(std::vector<std::uint8_t>& plane, const FrameFormat& format, const Shift& shift,
                  std::uint8_t value) {
  for (Index i = 0; i < format.height; ++i) {
    const double y = static_cast<double>(i) + shift.y;
    const bool row_seen = y >= 0 && y <= static_cast<double>(format.height - 1);
    for (Index j = 0; j < format.width; ++j) {
      const double x = static_cast<double>(j) + shift.x;
      if (row_seen && x >= 0 && x <= static_cast<double>(format.width - 1)) continue;
      plane[i * format.width + j] = value;
    }
  }
}

double typical_shift(const std::vector<const Frame*>& frames, const FrameFormat& format) {
  const auto count = std::ssize(frames);
  if (count < 3 || std::min(format.height, format.width) < least_side) return 0;
  const GreyPyramid reference(*frames[count / 2], format);
  const Index looked_at = std::min(count, frames_looked_at);
  std::vector<double> lengths;
  for (Index k = 0; k < looked_at; ++k) {
    const Index t = k * count / looked_at;
    if (t == count / 2) continue;
    const Shift shift = find_shift(reference, GreyPyramid(*frames[t], format));
    lengths.push_back(std::hypot(shift.y, shift.x));
  }
  return median(std::move(lengths));
}

}  // namespace sunder
