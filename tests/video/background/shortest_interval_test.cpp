#include "video/background/shortest_interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "video/synthetic_clip.hpp"

namespace sunder {
namespace {

using Counts = std::array<std::uint16_t, 256>;

/// The width of the shortest interval, from the sorted samples.
double width_by_sorting(std::vector<int> samples, double share) {
  std::sort(samples.begin(), samples.end());
  const auto needed =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
  int best = 256;
  for (std::size_t k = 0; k + needed <= samples.size(); ++k) {
    best = std::min(best, samples[k + needed - 1] - samples[k]);
  }
  return best;
}

TEST(ShortestInterval, AgreesWithSorting) {
  Rng rng(5, 0);
  for (int trial = 0; trial < 300; ++trial) {
    Counts counts{};
    std::vector<int> samples(1 + rng.below(60));
    const auto spread = 1 + rng.below(255);
    for (int& sample : samples) {
      sample = static_cast<int>(rng.below(spread));
      ++counts[sample];
    }
    const Crowd crowd = shortest_interval(counts.data(), std::ssize(samples), 0.4);
    EXPECT_EQ(static_cast<double>(crowd.width), width_by_sorting(samples, 0.4));
    EXPECT_GE(static_cast<double>(crowd.count), 0.4 * static_cast<double>(samples.size()));
  }
}

TEST(ShortestInterval, IsNotMovedByAMinority) {
  Counts counts{};
  counts[100] = 20;
  counts[101] = 25;
  counts[250] = 55;  // objects, but scattered over some levels
  for (int k = 0; k < 55; ++k) ++counts[180 + k];
  counts[250] = 0;
  const Crowd crowd = shortest_interval(counts.data(), 100, 0.4);
  EXPECT_NEAR(static_cast<double>(crowd.mean), 100.55, 0.02);
  EXPECT_EQ(crowd.width, 1.0F);
  EXPECT_EQ(crowd.count, 45.0F);
}

TEST(ShortestInterval, OfSeveralTakesTheMiddle) {
  Counts counts{};
  for (const int level : {10, 20, 30}) counts[level] = 10;
  EXPECT_EQ(shortest_interval(counts.data(), 30, 0.3).mean, 20.0F);
}

std::vector<Crowd> crowds(const testing::Clip& clip, int threads) {
  std::vector<Crowd> found(clip.format.values());
  find_crowds(clip.frames, rough_gains(clip.frames, clip.format), clip.format, 0.4, threads,
              [&](std::size_t value, const Crowd& crowd) { found[value] = crowd; });
  return found;
}

TEST(ShortestInterval, CrowdsOfAllValuesForAnyThreadsAndBits) {
  testing::ClipOptions options;
  options.channels = 3;
  const testing::Clip clip8 = testing::make_clip(options);
  options.bits = 16;
  const testing::Clip clip16 = testing::make_clip(options);
  const std::vector<Crowd> one = crowds(clip8, 1);
  const std::vector<Crowd> two = crowds(clip8, 2);
  const std::vector<Crowd> fine = crowds(clip16, 1);
  ASSERT_EQ(one.size(), static_cast<std::size_t>(clip8.format.values()));
  double largest = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].mean, two[k].mean);
    largest = std::max(largest, std::abs(static_cast<double>(one[k].mean - fine[k].mean)));
  }
  EXPECT_LT(largest, 8);
}

}  // namespace
}  // namespace sunder
