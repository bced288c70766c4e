#pragma once
/// The moving objects of the synthetic scene.

#include <optional>
#include <vector>

#include "data/scene_texture.hpp"
#include "sunder/data/scene.hpp"

namespace sunder {

/// An ellipse or a rectangle on a straight path at constant speed. It leaves the frame completely
/// and re-enters on the other side.
class MovingObject {
 public:
  MovingObject(const SceneOptions& options, std::uint64_t number);

  /// Returns the grey level under mean light, or nullopt if the object does not cover the pixel in
  /// that frame.
  std::optional<double> grey(Index row, Index column, Index frame) const;

 private:
  struct Point {
    double y, x;
  };

  bool ellipse_;
  Point radius_{};
  double level_;  ///< mean grey level, darker or brighter than any background
  ValueNoise texture_;
  std::vector<Point> centre_;  ///< one centre per frame
};

}  // namespace sunder
