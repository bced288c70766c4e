#pragma once
/// A small, realistic video with known masks: a textured background under slowly changing light, a
/// noisy camera, and moving objects.

#include <cstdint>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

struct SceneOptions {
  Shape shape{60, 80, 100};  ///< height x width x frames
  int objects = 3;           ///< moving objects, each on its own straight path with its own texture
  double light = 0.15;       ///< largest relative change of light over the clip, below 1
  double noise = 2;          ///< standard deviation of the camera noise, in grey levels
  std::uint64_t seed = 1;
};

struct Scene {
  DenseTensor video;       ///< u8, height x width x frames
  DenseTensor masks;       ///< u8, the same shape, 255 where an object is visible
  DenseTensor background;  ///< f32, height x width: the background under mean light
  Vector gain;          ///< one gain per frame, mean 1; background times gain is the low-rank part
  SparseTensor sparse;  ///< video minus gain times background, on the masks
};

/// Throws OptionError when a value is out of range.
void validate(const SceneOptions& options);

/// Renders the scene. Throws OptionError as validate() does, and Cancelled when the callback
/// cancels. The result depends only on the options, not on the number of threads; another
/// platform's sine may change a grey level by one.
Scene generate_scene(const SceneOptions& options, const ProgressCallback& progress = {});

}  // namespace sunder
