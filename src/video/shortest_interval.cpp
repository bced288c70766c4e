#include "video/shortest_interval.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

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
    // An interval that begins with nothing is not the shortest.
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

// So many values at a time: their histograms stay in the cache while the frames pass by.
constexpr Index block = 48;

template <class Code>
void crowds_of_block(std::span<const Frame> frames, const FrameFormat& format, double share,
                     Index first, Index last,
                     const std::function<void(std::size_t, const Crowd&)>& take) {
  std::array<std::array<std::uint16_t, 256>, block> counts{};
  for (const Frame& frame : frames) {
    const auto* const codes = reinterpret_cast<const Code*>(frame.bytes.data());
    for (Index j = first; j < last; ++j) {
      ++counts[static_cast<std::size_t>(j - first)][static_cast<std::size_t>(level_of(codes[j]))];
    }
  }
  const auto samples = static_cast<Index>(frames.size());
  for (Index j = first; j < last; ++j) {
    const Index plane = j % format.channels;
    const Index pixel = j / format.channels;
    take(static_cast<std::size_t>(plane * format.pixels() + pixel),
         shortest_interval(counts[static_cast<std::size_t>(j - first)].data(), samples, share));
  }
}

}  // namespace

void find_crowds(std::span<const Frame> frames, const FrameFormat& format, double share,
                 int threads, const std::function<void(std::size_t, const Crowd&)>& take) {
  const Index blocks = (format.values() + block - 1) / block;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (Index k = 0; k < blocks; ++k) {
    const Index first = k * block;
    const Index last = std::min(format.values(), first + block);
    if (format.bits == 8) {
      crowds_of_block<std::uint8_t>(frames, format, share, first, last, take);
    } else {
      crowds_of_block<std::uint16_t>(frames, format, share, first, last, take);
    }
  }
}

}  // namespace sunder
