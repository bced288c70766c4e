#pragma once
/// Surfaces of the synthetic scene.

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// Which random numbers of a scene are used for what. The numbers are part of the format of a seed.
enum class ScenePurpose : std::uint64_t {
  background_texture = 0,
  background_layout = 1,
  light = 2,
  objects = 3,
  noise = 4,
  object_texture = 16,  ///< and one stream more for each object
};

inline Rng scene_stream(std::uint64_t seed, ScenePurpose purpose, std::uint64_t number = 0) {
  return Rng(seed, static_cast<std::uint64_t>(purpose) + number);
}

/// Smooth random surface with values in (-1, 1): numbers on a lattice, blended between (value
/// noise), with every octave half as high and half as wide as the one before.
class ValueNoise {
 public:
  /// `cell`: pixels between the lattice points of the first octave.
  ValueNoise(const Rng& lattice, double cell, int octaves);
  /// At a point with coordinates >= 0.
  double operator()(double y, double x) const;

 private:
  double octave(int number, double y, double x) const;

  Rng lattice_;
  double cell_;
  int octaves_;
};

/// f32, height x width, grey levels 40 to 200: something like a room, with a floor, some
/// rectangles (door, window, pictures), a sideways gradient of light, and texture on everything.
DenseTensor scene_background(Index height, Index width, std::uint64_t seed);

}  // namespace sunder
