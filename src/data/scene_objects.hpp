#pragma once
/// What moves through the synthetic scene.

#include <optional>
#include <vector>

#include "data/scene_texture.hpp"
#include "sunder/data/scene.hpp"

namespace sunder {

/// An ellipse or a rectangle on a straight path at constant speed. It leaves the frame completely
/// and comes in again on the other side.
class MovingObject {
 public:
  MovingObject(const SceneOptions& options, std::uint64_t number);

  /// Grey level under mean light if the object covers the pixel in that frame.
  std::optional<double> grey(Index row, Index column, Index frame) const;

 private:
  struct Point {
    double y, x;
  };

  bool ellipse_;
  Point radius_{};
  double level_;  ///< mean grey level: darker or brighter than the background ever is
  ValueNoise texture_;
  std::vector<Point> centre_;  ///< of each frame
};

}  // namespace sunder
