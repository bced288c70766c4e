#include "sunder/data/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/region_failure.hpp"
#include "core/require_option.hpp"
#include "data/scene_objects.hpp"
#include "data/scene_texture.hpp"
#include "data/sparse_run.hpp"

namespace sunder {

namespace {

/// Returns 1 + light times a slow curve of mean 0 and largest absolute value 1: two sines of about
/// one and two periods over the clip. The sine is the platform's, so its last bit may differ
/// elsewhere.
Vector frame_gains(const SceneOptions& options) {
  Rng random = scene_stream(options.seed, ScenePurpose::light);
  const Index frames = options.shape[2];
  Vector curve = Vector::Zero(frames);
  for (const double height : {1.0, 0.4}) {
    const double periods = random.uniform(0.5, 1) / height;
    const double phase = random.uniform();
    for (Index t = 0; t < frames; ++t) {
      const double at = periods * static_cast<double>(t) / static_cast<double>(frames) + phase;
      curve[t] += height * std::sin(2 * std::numbers::pi * at);
    }
  }
  curve.array() -= curve.mean();
  const double largest = curve.cwiseAbs().maxCoeff();
  if (frames == 1 || largest == 0) return Vector::Ones(frames);
  return Vector::Ones(frames) + options.light / largest * curve;
}

/// Renders all frames of one row of pixels: light on the background or on the last object that
/// covers it, followed by the camera's noise, clipping and rounding.
SparseRun render_row(const SceneOptions& options, const std::vector<MovingObject>& objects,
                     Index row, Scene& scene) {
  SparseRun sparse;
  Rng noise = scene_stream(options.seed, ScenePurpose::noise);
  const std::span<const float> background = scene.background.typed<float>();
  const std::span<std::uint8_t> video = scene.video.typed<std::uint8_t>();
  const std::span<std::uint8_t> masks = scene.masks.typed<std::uint8_t>();
  for (Index column = 0; column < options.shape[1]; ++column) {
    const Index pixel = row * options.shape[1] + column;
    const double behind = background[pixel];
    for (Index frame = 0; frame < options.shape[2]; ++frame) {
      const Index position = pixel * options.shape[2] + frame;
      const auto at = static_cast<std::size_t>(position);
      double level = behind;
      for (const MovingObject& object : objects) {
        if (const auto grey = object.grey(row, column, frame)) {
          level = *grey;
          masks[at] = 255;
        }
      }
      level *= scene.gain[frame];
      noise.seek(static_cast<std::uint64_t>(position));
      if (options.noise > 0) level += options.noise * noise.normal();
      video[at] = static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0, 255.0)));
      if (masks[at] == 0) continue;
      sparse.positions.push_back(position);
      sparse.values.push_back(video[at] - scene.gain[frame] * behind);
    }
  }
  return sparse;
}

}  // namespace

void validate(const SceneOptions& options) {
  const Shape& shape = options.shape;
  require_option(shape.order() == 3 && shape.entries() > 0, "shape",
                 "height x width x frames of the scene, each at least 1",
                 '(' + to_string(shape) + ')');
  require_option(options.objects >= 0, "objects", "0 (an empty scene) or positive",
                 options.objects);
  require_option(options.light >= 0 && options.light < 1, "light",
                 "a relative change, at least 0 and below 1", options.light);
  require_option(options.noise >= 0 && std::isfinite(options.noise), "noise",
                 "finite and not negative", options.noise);
}

Scene generate_scene(const SceneOptions& options, const ProgressCallback& progress) {
  validate(options);
  report_or_throw(progress, "rendering", 0);
  const Index height = options.shape[0];
  Scene scene;
  scene.background = scene_background(height, options.shape[1], options.seed);
  scene.gain = frame_gains(options);
  scene.video = DenseTensor(options.shape, ScalarType::u8);
  scene.masks = DenseTensor(options.shape, ScalarType::u8);
  std::vector<MovingObject> objects;
  for (int k = 0; k < options.objects; ++k) {
    objects.emplace_back(options, static_cast<std::uint64_t>(k));
  }

  constexpr Index rows_per_report = 16;
  SparseRun all;
  for (Index begin = 0; begin < height; begin += rows_per_report) {
    const Index end = std::min(begin + rows_per_report, height);
    std::vector<SparseRun> runs(end - begin);
    RegionFailure failure;
#pragma omp parallel for schedule(dynamic)
    for (Index row = begin; row < end; ++row) {
      failure.guard([&] { runs[row - begin] = render_row(options, objects, row, scene); });
    }
    failure.rethrow();
    all.append(runs);
    report_or_throw(progress, "rendering", static_cast<double>(end) / static_cast<double>(height));
  }
  scene.sparse = SparseTensor(options.shape, std::move(all.positions), std::move(all.values));
  return scene;
}

}  // namespace sunder
