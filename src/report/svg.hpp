#pragma once
/// A small plotting kit: figures as inline SVG, coloured by the style sheet of the page.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/axis.hpp"

namespace sunder::svg {

/// What all plots have in common. Labels are text, escaped here.
struct Frame {
  std::string description;  ///< read out in place of the picture
  Axis x;
  Axis y;
  double width = 560;  ///< in units of the view box: pixels unless the page scales the figure
  double height = 260;
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
};

/// Points that cannot be drawn (NaN, infinite, not positive on a log axis) interrupt the line.
std::string line_plot(const Frame& frame, std::span<const Series> series);

struct Bars {
  std::vector<double> edges;    ///< one more than there are bars, increasing
  std::vector<double> heights;  ///< those that are not finite are left out
  double fill = 0.9;            ///< width of a bar over the distance of its edges
};
/// Bars stand on 0; both axes are linear.
std::string bar_plot(const Frame& frame, const Bars& bars);

struct HeatMap {
  std::vector<double> column_edges;
  std::vector<double> row_edges;  ///< downwards, as a matrix is written
  std::vector<double> values;     ///< row by row, not negative; cells with 0 are not drawn
};
/// The darkest cell is the largest value; `unit` follows that value in the key ("% in S").
std::string heat_map(const Frame& frame, const HeatMap& map, std::string_view unit);

/// The style sheet that the figures expect, in terms of the colours --ink, --muted, --line,
/// --series-0, --series-1 and --series-2 of the page.
std::string_view style();

}  // namespace sunder::svg
