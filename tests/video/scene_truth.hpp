#pragma once
/// A scene small enough for tests, with masks of some of its frames.

#include <vector>

#include "sunder/data/scene.hpp"

namespace sunder::test {

inline Scene small_scene() {
  SceneOptions options;
  options.shape = Shape{45, 60, 80};
  return generate_scene(options);
}

inline DenseTensor masks_at(const Scene& scene, const std::vector<Index>& frames) {
  const Shape& whole = scene.masks.shape();
  DenseTensor masks(Shape{whole[0], whole[1], std::ssize(frames)}, ScalarType::u8);
  auto next = masks.typed<std::uint8_t>().begin();
  for (Index i = 0; i < whole[0]; ++i) {
    for (Index j = 0; j < whole[1]; ++j) {
      for (const Index frame : frames) {
        *next++ = static_cast<std::uint8_t>(scene.masks.view()({i, j, frame}));
      }
    }
  }
  return masks;
}

}  // namespace sunder::test
