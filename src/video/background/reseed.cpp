#include "video/background/reseed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "video/background/components.hpp"
#include "video/background/shortest_interval.hpp"

namespace sunder {

namespace {

constexpr float mostly = 0.5F;  // presence above which the search for ghosts begins at a pixel
constexpr double more_support = 1.5;  // frames like the candidate for each like the background
constexpr double smoother = 0.8;      // share of the contour's contrast that may be left afterwards
constexpr double width_of_share = 1.049;

/// What a pixel has shown lately, if that is not the background.
struct Candidate {
  std::array<float, 3> image{};
  std::array<float, 3> variance{};
  float support = 0;
};

class Ghosts {
 public:
  Ghosts(BackgroundModel::State& model, std::span<const Frame> frames,
         std::span<const double> gains)
      : model_(model), frames_(frames), marked_(model.count.size(), 0) {
    for (const double gain : gains) units_.push_back(static_cast<float>(1 / gain) * model.unit);
  }

  Index replace(std::span<const float> presence);

 private:
  /// Returns the level of frame k as it would be at a gain of 1.
  float level(std::size_t k, Index pixel, Index channel) const;
  bool find_candidate(Index pixel, Candidate& found) const;
  double contrast(const Run& run, const std::vector<int>& region_of, bool with_candidates) const;
  double value(Index pixel, Index channel, bool with_candidates) const;
  void collect_candidates(std::span<const float> presence);
  void replace_pixel(Index pixel);

  BackgroundModel::State& model_;
  std::span<const Frame> frames_;
  std::vector<float> units_;  // of each frame: grey levels for each code, at a gain of 1
  std::vector<std::uint8_t> marked_;
  std::vector<int> index_;  // of each pixel's candidate, or -1
  std::vector<Candidate> candidates_;
};

float Ghosts::level(std::size_t k, Index pixel, Index channel) const {
  const Frame& frame = frames_[k];
  const auto j = static_cast<std::size_t>(pixel * model_.format.channels + channel);
  const auto code = model_.format.bits == 8 ? static_cast<float>(frame.codes8()[j])
                                            : static_cast<float>(frame.codes16()[j]);
  return std::min(255.0F, units_[k] * code);
}

bool Ghosts::find_candidate(Index pixel, Candidate& found) const {
  const auto samples = std::ssize(frames_);
  const double least = model_.options.least_noise;
  bool differs = false;
  std::array<float, 3> tolerance{};  // square of two standard deviations
  for (Index c = 0; c < model_.format.channels; ++c) {
    std::array<std::uint16_t, 256> counts{};
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      ++counts[std::lround(level(k, pixel, c))];
    }
    const Crowd crowd = shortest_interval(counts.data(), samples, model_.options.interval);
    const auto k = static_cast<std::size_t>(c);
    found.image[k] = crowd.mean;
    const double noise =
        std::min(model_.options.most_noise, std::hypot(crowd.width / width_of_share, least));
    found.variance[k] = static_cast<float>(noise * noise);
    const std::size_t j = model_.at(pixel, c);
    const auto gap = static_cast<double>(crowd.mean - model_.image[j]);
    // A wrong background may have too much noise, so the smaller variance of the two counts.
    tolerance[k] = 4 * std::min(found.variance[k], model_.variance[j]);
    differs = differs || gap * gap > static_cast<double>(tolerance[k]);
  }
  if (!differs) return false;
  double for_it = 0;
  double for_background = 0;
  for (std::size_t t = 0; t < frames_.size(); ++t) {
    bool like_it = true;
    bool like_background = true;
    for (Index c = 0; c < model_.format.channels; ++c) {
      const float x = level(t, pixel, c);
      const auto k = static_cast<std::size_t>(c);
      const std::size_t j = model_.at(pixel, c);
      const float to_it = x - found.image[k];
      const float to_background = x - model_.image[j];
      like_it = like_it && to_it * to_it < 4 * found.variance[k];
      like_background = like_background && to_background * to_background < tolerance[k];
    }
    for_it += like_it ? 1 : 0;
    for_background += like_background ? 1 : 0;
  }
  found.support = static_cast<float>(for_it);
  return for_it > more_support * for_background;
}

double Ghosts::value(Index pixel, Index channel, bool with_candidates) const {
  const int k = index_[pixel];
  if (with_candidates && k >= 0) {
    return static_cast<double>(candidates_[k].image[channel]);
  }
  return static_cast<double>(model_.image[model_.at(pixel, channel)]);
}

/// Adds up the differences between the pixels of a run and their neighbours outside of its region.
double Ghosts::contrast(const Run& run, const std::vector<int>& region_of,
                        bool with_candidates) const {
  const Index width = model_.format.width;
  double sum = 0;
  const auto add = [&](Index pixel, Index neighbour) {
    if (region_of[neighbour] == run.region) return;
    for (Index c = 0; c < model_.format.channels; ++c) {
      sum += std::abs(value(pixel, c, with_candidates) -
                      static_cast<double>(model_.image[model_.at(neighbour, c)]));
    }
  };
  for (Index j = run.first; j <= run.last; ++j) {
    const Index pixel = run.row * width + j;
    if (run.row > 0) add(pixel, pixel - width);
    if (run.row + 1 < model_.format.height) add(pixel, pixel + width);
    if (j > 0) add(pixel, pixel - 1);
    if (j + 1 < width) add(pixel, pixel + 1);
  }
  return sum;
}

/// Starts at the pixels where objects were lately, and spreads outwards as far as the background
/// disagrees with what is seen. The rim of a ghost is not part of the mask; if it stayed in place,
/// it would be the contour.
void Ghosts::collect_candidates(std::span<const float> presence) {
  const Index pixels = model_.format.pixels();
  index_.assign(pixels, -1);
  std::vector<std::uint8_t> reached(presence.size(), 0);
  std::vector<Index> open;
  const auto reach = [&](Index p) {
    std::uint8_t& mark = reached[p];
    if (mark == 0) open.push_back(p);
    mark = 1;
  };
  for (Index p = 0; p < pixels; ++p) {
    if (presence[p] > mostly) reach(p);
  }
  const Index width = model_.format.width;
  while (!open.empty()) {
    const Index p = open.back();
    open.pop_back();
    Candidate candidate;
    if (!find_candidate(p, candidate)) continue;
    const auto at = static_cast<std::size_t>(p);
    marked_[at] = 255;
    index_[at] = static_cast<int>(candidates_.size());
    candidates_.push_back(candidate);
    if (p >= width) reach(p - width);
    if (p + width < pixels) reach(p + width);
    if (p % width > 0) reach(p - 1);
    if (p % width + 1 < width) reach(p + 1);
  }
}

void Ghosts::replace_pixel(Index pixel) {
  const auto at = static_cast<std::size_t>(pixel);
  const Candidate& candidate = candidates_[index_[at]];
  for (Index c = 0; c < model_.format.channels; ++c) {
    model_.image[model_.at(pixel, c)] = candidate.image[c];
    model_.variance[model_.at(pixel, c)] = candidate.variance[c];
  }
  model_.count[at] = std::clamp(candidate.support, 1.0F, static_cast<float>(model_.options.memory));
}

Index Ghosts::replace(std::span<const float> presence) {
  collect_candidates(presence);
  if (candidates_.empty()) return 0;
  const Regions regions = find_regions(marked_.data(), model_.format.height, model_.format.width,
                                       255, Connected::by_corners_too);
  std::vector<int> region_of(marked_.size(), -1);
  for (const Run& run : regions.runs) {
    std::fill_n(region_of.begin() + run.row * model_.format.width + run.first,
                run.last - run.first + 1, run.region);
  }
  std::vector<double> before(regions.areas.size());
  std::vector<double> after(regions.areas.size());
  for (const Run& run : regions.runs) {
    const auto k = static_cast<std::size_t>(run.region);
    before[k] += contrast(run, region_of, false);
    after[k] += contrast(run, region_of, true);
  }
  Index replaced = 0;
  for (const Run& run : regions.runs) {
    const auto k = static_cast<std::size_t>(run.region);
    if (!(after[k] < smoother * before[k])) continue;
    for (Index j = run.first; j <= run.last; ++j) {
      replace_pixel(run.row * model_.format.width + j);
      ++replaced;
    }
  }
  return replaced;
}

}  // namespace

Index remove_ghosts(BackgroundModel::State& model, std::span<const Frame> frames,
                    std::span<const double> gains, std::span<const float> presence) {
  return Ghosts(model, frames, gains).replace(presence);
}

}  // namespace sunder
