#pragma once
/// Counts or shares over adjacent intervals.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/sections/section_data.hpp"

namespace sunder {

struct Histogram {
  std::vector<double> edges;    ///< increasing, one more than there are bars
  std::vector<double> heights;  ///< one for each bar
};

/// Returns the curve around the bars. Bars of height 0 interrupt it, as a log axis requires.
inline Curve outline(const Histogram& histogram, std::string name) {
  Curve curve{.name = std::move(name), .x = {{}}, .y = {}, .low = {}, .high = {}, .filled = true};
  for (std::size_t k = 0; k < histogram.heights.size(); ++k) {
    const double height =
        histogram.heights[k] > 0 ? histogram.heights[k] : std::numeric_limits<double>::quiet_NaN();
    for (const double edge : {histogram.edges[k], histogram.edges[k + 1]}) {
      curve.x[0].push_back(edge);
      curve.y.push_back(height);
    }
  }
  return curve;
}

}  // namespace sunder
