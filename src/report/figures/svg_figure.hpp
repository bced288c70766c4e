#pragma once
/// A plot as an SVG file, for any browser, editor or LaTeX toolchain.

#include <string>

#include "report/sections/section_data.hpp"

namespace sunder {

/// Draws the curves over the first x axis, with whiskers for curves that have a range, and a legend
/// on the right. Points that cannot be drawn (NaN, or not positive on a log axis) interrupt the
/// line.
std::string svg_figure(const Plot& plot);

}  // namespace sunder
