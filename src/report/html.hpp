#pragma once
/// Text and numbers as HTML.

#include <string>
#include <string_view>

#include "sunder/core/shape.hpp"

namespace sunder::html {

/// Escapes text for use between tags and inside quoted attributes. Invalid UTF-8 and control
/// characters become U+FFFD.
std::string escape(std::string_view text);

/// Formats at least `digits` significant digits: 0.0123, 12.3, 4567, 8.9×10⁻¹²; "–" if not finite.
std::string number(double value, int digits = 3);
/// Formats an integer in groups of three digits, separated by thin spaces: 1 234 567.
std::string count(Index value);
/// Formats 0.0123 as "1.23 %".
std::string percent(double share);
/// Formats a shape as "100 × 80 × 60".
std::string extents(const Shape& shape);
/// Formats 10 to an integer power with a raised exponent: 10⁻⁸.
std::string power_of_ten(int exponent);

}  // namespace sunder::html
