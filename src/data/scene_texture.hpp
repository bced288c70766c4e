#pragma once
/// The textures of the synthetic scene.

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// The use of the random numbers of a scene. The numbers define the meaning of a seed.
enum class ScenePurpose : std::uint64_t {
  background_texture = 0,
  background_layout = 1,
  light = 2,
  objects = 3,
  noise = 4,
  object_texture = 16,  ///< the first of one stream per object
};

inline Rng scene_stream(std::uint64_t seed, ScenePurpose purpose, std::uint64_t number = 0) {
  return Rng(seed, static_cast<std::uint64_t>(purpose) + number);
}

/// A smooth random surface with values in (-1, 1): random numbers on a lattice with interpolation
/// between them (value noise); each octave has half the height and half the width of the one
/// before.
class ValueNoise {
 public:
  /// `cell` is the distance in pixels between lattice points of the first octave.
  ValueNoise(const Rng& lattice, double cell, int octaves);
  /// Evaluates the surface at a point with coordinates >= 0.
  double operator()(double y, double x) const;

 private:
  double octave(int number, double y, double x) const;

  Rng lattice_;
  double cell_;
  int octaves_;
};

/// Renders the background as f32, height x width, grey levels 40 to 200. It resembles a room, with
/// a floor, some rectangles (door, window, pictures), a sideways gradient of light, and texture
/// everywhere.
DenseTensor scene_background(Index height, Index width, std::uint64_t seed);

}  // namespace sunder
