#include "video/background/components.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sunder {

namespace {

/// Disjoint sets of runs. Each set is a tree, and its root stands for it.
class Sets {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int root(int k) {
    while (parent(k) != k) k = parent(k) = parent(parent(k));
    return k;
  }
  void join(int a, int b) {
    a = root(a);
    b = root(b);
    parent(std::max(a, b)) = std::min(a, b);
  }

 private:
  int& parent(int k) { return parents_[k]; }
  std::vector<int> parents_;
};

/// Returns the first pixel from j on that is `value` (or is not, unless `equal`), or the width if
/// there is none.
Index next(const std::uint8_t* row, Index j, Index width, std::uint8_t value, bool equal) {
  if (equal) {
    if (j >= width) return width;
    const void* const found = std::memchr(row + j, value, static_cast<std::size_t>(width - j));
    return found == nullptr ? width : static_cast<const std::uint8_t*>(found) - row;
  }
  while (j < width && row[j] == value) ++j;
  return j;
}

void paint(const Run& run, std::uint8_t value, std::vector<std::uint8_t>& mask, Index width) {
  std::fill_n(mask.begin() + run.row * width + run.first, run.last - run.first + 1, value);
}

}  // namespace

Regions find_regions(const std::uint8_t* mask, Index height, Index width, std::uint8_t value,
                     Connected connected) {
  Regions regions;
  std::vector<Run>& runs = regions.runs;
  Sets sets;
  const int reach = connected == Connected::by_corners_too ? 1 : 0;
  std::size_t above = 0;      // first run of the row above
  std::size_t above_end = 0;  // one past the last run of the row above
  for (Index i = 0; i < height; ++i) {
    const std::uint8_t* const row = mask + i * width;
    const std::size_t begin = runs.size();
    std::size_t candidate = above;
    for (Index j = next(row, 0, width, value, true); j < width;) {
      const Index end = next(row, j, width, value, false);
      const Run run{static_cast<int>(i), static_cast<int>(j), static_cast<int>(end - 1),
                    sets.add()};
      while (candidate < above_end && runs[candidate].last + reach < run.first) ++candidate;
      for (std::size_t k = candidate; k < above_end && runs[k].first - reach <= run.last; ++k) {
        sets.join(runs[k].region, run.region);
      }
      runs.push_back(run);
      j = next(row, end, width, value, true);
    }
    above = begin;
    above_end = runs.size();
  }
  std::vector<int> numbers(runs.size(), -1);
  for (Run& run : runs) {
    const auto root = static_cast<std::size_t>(sets.root(run.region));
    if (numbers[root] < 0) {
      numbers[root] = static_cast<int>(regions.areas.size());
      regions.areas.push_back(0);
      regions.at_border.push_back(0);
    }
    run.region = numbers[root];
    const auto region = static_cast<std::size_t>(run.region);
    regions.areas[region] += run.last - run.first + 1;
    if (run.row == 0 || run.row == height - 1 || run.first == 0 || run.last == width - 1) {
      regions.at_border[region] = 1;
    }
  }
  return regions;
}

Index clean_mask(std::vector<std::uint8_t>& mask, Index height, Index width, double smallest_object,
                 double largest_hole) {
  const Regions objects = find_regions(mask.data(), height, width, 255, Connected::by_corners_too);
  Index set = 0;
  for (const Run& run : objects.runs) {
    const Index area = objects.areas[run.region];
    if (static_cast<double>(area) < smallest_object) {
      paint(run, 0, mask, width);
    } else {
      set += run.last - run.first + 1;
    }
  }
  if (set == 0) return 0;
  const Regions holes = find_regions(mask.data(), height, width, 0, Connected::by_sides);
  for (const Run& run : holes.runs) {
    const auto region = static_cast<std::size_t>(run.region);
    if (holes.at_border[region] != 0) continue;
    if (static_cast<double>(holes.areas[region]) >= largest_hole) continue;
    paint(run, 255, mask, width);
    set += run.last - run.first + 1;
  }
  return set;
}

}  // namespace sunder
