#include "video/background/components.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <set>
#include <string>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

using Mask = std::vector<std::uint8_t>;

Mask mask_of(const std::vector<std::string>& rows) {
  Mask mask;
  for (const std::string& row : rows) {
    for (const char c : row) mask.push_back(c == '#' ? 255 : 0);
  }
  return mask;
}

/// Areas by flood fill, sorted.
std::multiset<Index> areas_by_flooding(Mask mask, Index height, Index width, std::uint8_t value,
                                       bool corners) {
  std::multiset<Index> areas;
  for (Index start = 0; start < height * width; ++start) {
    if (mask[start] != value) continue;
    std::queue<Index> open({start});
    mask[start] = 1;
    Index area = 0;
    while (!open.empty()) {
      const Index at = open.front();
      open.pop();
      ++area;
      for (Index di = -1; di <= 1; ++di) {
        for (Index dj = -1; dj <= 1; ++dj) {
          if (!corners && di * dj != 0) continue;
          const Index i = at / width + di;
          const Index j = at % width + dj;
          if (i < 0 || j < 0 || i >= height || j >= width) continue;
          std::uint8_t& next = mask[i * width + j];
          if (next != value) continue;
          next = 1;
          open.push(i * width + j);
        }
      }
    }
    areas.insert(area);
  }
  return areas;
}

TEST(Components, AgreeWithFloodFilling) {
  Rng rng(3, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const auto height = static_cast<Index>(1 + rng.below(12));
    const auto width = static_cast<Index>(1 + rng.below(40));
    Mask mask(static_cast<std::size_t>(height * width));
    const double density = rng.uniform();
    for (std::uint8_t& pixel : mask) pixel = rng.bernoulli(density) ? 255 : 0;
    for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{255}}) {
      for (const bool corners : {false, true}) {
        const Regions regions =
            find_regions(mask.data(), height, width, value,
                         corners ? Connected::by_corners_too : Connected::by_sides);
        EXPECT_EQ(std::multiset<Index>(regions.areas.begin(), regions.areas.end()),
                  areas_by_flooding(mask, height, width, value, corners));
      }
    }
  }
}

TEST(Components, DropsSmallObjectsAndFillsSmallHoles) {
  Mask mask = mask_of({"##........", "..........", "...#####..", "...#.##...", "...#####..",
                       "..........", ".........#"});
  const Index set = clean_mask(mask, 7, 10, 3, 2);
  EXPECT_EQ(mask, mask_of({"..........", "..........", "...#####..", "...####...", "...#####..",
                           "..........", ".........."}));
  EXPECT_EQ(set, 14);
}

TEST(Components, WhatTouchesTheBorderIsNoHole) {
  Mask mask = mask_of({"##.##", "#####"});
  EXPECT_EQ(clean_mask(mask, 2, 5, 1, 100), 9);
  EXPECT_EQ(mask, mask_of({"##.##", "#####"}));
}

TEST(Components, NothingAndEverything) {
  Mask none(12, 0);
  EXPECT_EQ(clean_mask(none, 3, 4, 1, 100), 0);
  Mask all(12, 255);
  EXPECT_EQ(clean_mask(all, 3, 4, 1, 100), 12);
}

}  // namespace
}  // namespace sunder
