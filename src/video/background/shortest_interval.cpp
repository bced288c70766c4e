#include "video/background/shortest_interval.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/region_failure.hpp"
#include "core/statistics.hpp"

namespace sunder {

Crowd shortest_interval(const std::uint16_t counts[256], Index samples, double share) {
  const auto needed =
      std::max<Index>(1, static_cast<Index>(std::ceil(share * static_cast<double>(samples))));
  std::array<int, 256> starts{};
  std::size_t ties = 0;
  int best = 256;
  Index inside = 0;
  int end = 0;  // one past the interval
  for (int start = 0; start < 256; ++start) {
    while (inside < needed && end < 256) inside += counts[end++];
    if (inside < needed) break;
    // An interval that begins at an empty level is not the shortest.
    if (counts[start] != 0) {
      const int width = end - 1 - start;
      if (width < best) {
        best = width;
        ties = 0;
      }
      if (width == best) starts[ties++] = start;
    }
    inside -= counts[start];
  }
  if (ties == 0) return {};
  const int first = starts[ties / 2];
  double sum = 0;
  Index count = 0;
  for (int level = first; level <= first + best; ++level) {
    sum += static_cast<double>(level) * counts[level];
    count += counts[level];
  }
  return {static_cast<float>(sum / static_cast<double>(count)), static_cast<float>(best),
          static_cast<float>(count)};
}

namespace {

// Values are counted in blocks, whose histograms stay in the cache while the frames pass by.
constexpr Index block = 48;
constexpr Index sampled_pixels = 2048;
constexpr double darkest = 16;  // grey levels; below them a ratio says little

double code_at(const Frame& frame, const FrameFormat& format, Index value) {
  const auto k = static_cast<std::size_t>(value);
  return format.bits == 8 ? frame.codes8()[k] : frame.codes16()[k] / 257.0;
}

/// Returns the level, at a gain of 1, of each of 256 codes. Of codes of 16 bits these are the upper
/// halves.
using Levels = std::array<std::uint8_t, 256>;
Levels levels_at(double gain) {
  Levels levels{};
  for (std::size_t code = 0; code < levels.size(); ++code) {
    const double level = static_cast<double>(code) / gain + 0.5;
    levels[code] = static_cast<std::uint8_t>(std::min(level, 255.0));
  }
  return levels;
}

std::size_t table_index(std::uint8_t code) { return code; }
std::size_t table_index(std::uint16_t code) { return code >> 8U; }

template <class Code>
void crowds_of_block(std::span<const Frame> frames, std::span<const Levels> levels,
                     const FrameFormat& format, double share, Index first, Index last,
                     const std::function<void(std::size_t, const Crowd&)>& take) {
  std::array<std::array<std::uint16_t, 256>, block> counts{};
  for (std::size_t t = 0; t < frames.size(); ++t) {
    const auto* const codes = reinterpret_cast<const Code*>(frames[t].bytes.data());
    const Levels& table = levels[t];
    for (Index j = first; j < last; ++j) {
      ++counts[j - first][table[table_index(codes[j])]];
    }
  }
  const auto samples = std::ssize(frames);
  for (Index j = first; j < last; ++j) {
    const Index plane = j % format.channels;
    const Index pixel = j / format.channels;
    take(static_cast<std::size_t>(plane * format.pixels() + pixel),
         shortest_interval(counts[j - first].data(), samples, share));
  }
}

}  // namespace

std::vector<double> rough_gains(std::span<const Frame> frames, const FrameFormat& format) {
  const Index stride = std::max<Index>(1, format.values() / sampled_pixels);
  std::vector<Index> values;
  std::vector<double> usual;  // median of each value over time
  for (Index j = stride / 2; j < format.values(); j += stride) {
    std::vector<double> levels;
    for (const Frame& frame : frames) levels.push_back(code_at(frame, format, j));
    const double level = median(std::move(levels));
    if (level <= darkest) continue;
    values.push_back(j);
    usual.push_back(level);
  }
  std::vector<double> gains;
  for (const Frame& frame : frames) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < values.size(); ++k) {
      ratios.push_back(code_at(frame, format, values[k]) / usual[k]);
    }
    gains.push_back(ratios.empty() ? 1 : std::clamp(median(std::move(ratios)), 0.2, 5.0));
  }
  return gains;
}

void find_crowds(std::span<const Frame> frames, std::span<const double> gains,
                 const FrameFormat& format, double share, int threads,
                 const std::function<void(std::size_t, const Crowd&)>& take) {
  std::vector<Levels> levels;
  for (const double gain : gains) levels.push_back(levels_at(gain));
  const Index blocks = (format.values() + block - 1) / block;
  RegionFailure failure;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (Index k = 0; k < blocks; ++k) {
    failure.guard([&] {
      const Index first = k * block;
      const Index last = std::min(format.values(), first + block);
      if (format.bits == 8) {
        crowds_of_block<std::uint8_t>(frames, levels, format, share, first, last, take);
      } else {
        crowds_of_block<std::uint16_t>(frames, levels, format, share, first, last, take);
      }
    });
  }
  failure.rethrow();
}

}  // namespace sunder
