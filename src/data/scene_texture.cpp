#include "data/scene_texture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sunder {

ValueNoise::ValueNoise(const Rng& lattice, double cell, int octaves)
    : lattice_(lattice), cell_(std::max(cell, 2.0)), octaves_(octaves) {}

double ValueNoise::octave(int number, double y, double x) const {
  const double row = std::floor(y);
  const double column = std::floor(x);
  const auto corner = [&](int down, int right) {
    Rng random = lattice_;
    const auto i = static_cast<std::uint64_t>(row) + static_cast<std::uint64_t>(down);
    const auto j = static_cast<std::uint64_t>(column) + static_cast<std::uint64_t>(right);
    random.seek((static_cast<std::uint64_t>(number) << 56) ^ (i << 28) ^ j);
    return random.uniform(-1, 1);
  };
  const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
  const double v = smooth(y - row);
  const double u = smooth(x - column);
  return (1 - v) * ((1 - u) * corner(0, 0) + u * corner(0, 1)) +
         v * ((1 - u) * corner(1, 0) + u * corner(1, 1));
}

double ValueNoise::operator()(double y, double x) const {
  double sum = 0;
  double total = 0;
  double height = 1;
  double cell = cell_;
  for (int number = 0; number < octaves_; ++number, height /= 2, cell = std::max(cell / 2, 2.0)) {
    sum += height * octave(number, y / cell, x / cell);
    total += height;
  }
  return sum / total;
}

namespace {

struct Panel {
  double top, bottom, left, right;
  double level;  ///< added inside the panel
};

std::vector<Panel> random_panels(double height, double width, Rng& random) {
  std::vector<Panel> panels;
  const auto count = 3 + random.below(3);
  for (std::uint64_t k = 0; k < count; ++k) {
    Panel panel{};
    panel.top = height * random.uniform(0.05, 0.5);
    panel.bottom = panel.top + height * random.uniform(0.1, 0.45);
    panel.left = width * random.uniform(0, 0.85);
    panel.right = panel.left + width * random.uniform(0.08, 0.3);
    panel.level = random.uniform(0.2, 0.6) * (random.bernoulli(0.5) ? 1 : -1);
    panels.push_back(panel);
  }
  return panels;
}

}  // namespace

DenseTensor scene_background(Index height, Index width, std::uint64_t seed) {
  Rng layout = scene_stream(seed, ScenePurpose::background_layout);
  const auto h = static_cast<double>(height);
  const auto w = static_cast<double>(width);
  const double floor_line = h * layout.uniform(0.65, 0.8);
  const double floor_level = layout.uniform(-0.5, -0.2);
  const double slope = layout.uniform(-0.5, 0.5);
  const std::vector<Panel> panels = random_panels(h, w, layout);
  const ValueNoise texture(scene_stream(seed, ScenePurpose::background_texture), h / 3, 5);

  DenseTensor background(Shape{height, width}, ScalarType::f32);
  const std::span<float> grey = background.typed<float>();
  for (Index i = 0; i < height; ++i) {
    for (Index j = 0; j < width; ++j) {
      const auto y = static_cast<double>(i);
      const auto x = static_cast<double>(j);
      double level = 0.6 * texture(y, x) + slope * x / w + (y >= floor_line ? floor_level : 0);
      for (const Panel& p : panels) {
        if (p.top <= y && y < p.bottom && p.left <= x && x < p.right) level += p.level;
      }
      grey[i * width + j] = static_cast<float>(level);
    }
  }
  const auto [low, high] = std::minmax_element(grey.begin(), grey.end());
  const float from = *low;
  const float range = std::max(*high - from, 1e-6F);
  for (float& level : grey) level = 40 + 160 * std::min((level - from) / range, 1.0F);
  return background;
}

}  // namespace sunder
