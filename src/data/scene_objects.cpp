#include "data/scene_objects.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder {

MovingObject::MovingObject(const SceneOptions& options, std::uint64_t number)
    : texture_(scene_stream(options.seed, ScenePurpose::object_texture, number), 4, 2) {
  constexpr std::uint64_t numbers_per_object = 64;
  Rng random = scene_stream(options.seed, ScenePurpose::objects);
  random.seek(number * numbers_per_object);
  const auto height = static_cast<double>(options.shape[0]);
  const auto width = static_cast<double>(options.shape[1]);

  ellipse_ = random.bernoulli(0.5);
  radius_.y = std::max(height * random.uniform(1.0 / 16, 1.0 / 8), 0.75);
  radius_.x = std::max(radius_.y * random.uniform(0.6, 1.2), 0.75);
  level_ = random.bernoulli(0.5) ? random.uniform(12, 28) : random.uniform(212, 230);

  // Objects move mostly sideways, as people walk. The path closes on itself outside the frame.
  const double angle = random.uniform(-std::numbers::pi / 6, std::numbers::pi / 6);
  const double speed = random.uniform(0.5, 2) * (random.bernoulli(0.5) ? 1 : -1);
  const Point loop{height + 2 * radius_.y + 1, width + 2 * radius_.x + 1};
  const Point start{random.uniform(0, loop.y), random.uniform(0, loop.x)};
  const auto wrapped = [](double at, double length) {
    return at - length * std::floor(at / length);
  };
  for (Index frame = 0; frame < options.shape[2]; ++frame) {
    const double way = speed * static_cast<double>(frame);
    centre_.push_back({wrapped(start.y + way * std::sin(angle), loop.y) - radius_.y - 0.5,
                       wrapped(start.x + way * std::cos(angle), loop.x) - radius_.x - 0.5});
  }
}

std::optional<double> MovingObject::grey(Index row, Index column, Index frame) const {
  const Point& centre = centre_[frame];
  const double y = static_cast<double>(row) - centre.y;
  const double x = static_cast<double>(column) - centre.x;
  if (std::abs(y) > radius_.y || std::abs(x) > radius_.x) return std::nullopt;
  const double v = y / radius_.y;
  const double u = x / radius_.x;
  if (ellipse_ && v * v + u * u > 1) return std::nullopt;
  constexpr double contrast = 10;  // the texture moves with the object
  return level_ + contrast * texture_(y + radius_.y, x + radius_.x);
}

}  // namespace sunder
