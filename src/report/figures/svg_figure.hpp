#pragma once
/// A plot as a file of its own: SVG that any browser, editor or LaTeX toolchain takes.

#include <string>

#include "report/sections/section_data.hpp"

namespace sunder {

/// Curves over the first x axis, with whiskers where the curves say what they vary between, and a
/// legend on the right. Points that cannot be drawn (NaN, not positive on a log axis) interrupt
/// the line.
std::string svg_figure(const Plot& plot);

}  // namespace sunder
