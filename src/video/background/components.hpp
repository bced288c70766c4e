#pragma once
/// The connected regions of a mask, which are found by runs of its rows.

#include <cstdint>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

/// A run is the pixels from `first` to `last` of a row, all in one region.
struct Run {
  int row = 0;
  int first = 0;
  int last = 0;  ///< inclusive
  int region = 0;
};

struct Regions {
  std::vector<Run> runs;                ///< row by row
  std::vector<Index> areas;             ///< pixels of each region
  std::vector<std::uint8_t> at_border;  ///< whether a region touches the border of the mask
};

enum class Connected { by_sides, by_corners_too };

/// Finds the regions in which the mask is `value` (0 or 255).
Regions find_regions(const std::uint8_t* mask, Index height, Index width, std::uint8_t value,
                     Connected connected);

/// Drops objects of fewer pixels than `smallest_object`, then fills holes inside objects of fewer
/// than `largest_hole`. Returns the number of pixels that are set.
Index clean_mask(std::vector<std::uint8_t>& mask, Index height, Index width, double smallest_object,
                 double largest_hole);

}  // namespace sunder
