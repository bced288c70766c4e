#pragma once
/// Text and numbers on their way into a page.

#include <string>
#include <string_view>

#include "sunder/core/shape.hpp"

namespace sunder::html {

/// Text from outside, safe between tags and inside quoted attributes. Invalid UTF-8 and control
/// characters become U+FFFD.
std::string escape(std::string_view text);

/// At least `digits` significant digits: 0.0123, 12.3, 4567, 8.9×10⁻¹²; "–" for what is not finite.
std::string number(double value, int digits = 3);
/// Digits in groups of three, separated by thin spaces: 1 234 567.
std::string count(Index value);
/// 0.0123 as "1.23 %".
std::string percent(double share);
/// "100 × 80 × 60".
std::string extents(const Shape& shape);
/// 10 to an integer power, with a raised exponent: 10⁻⁸.
std::string power_of_ten(int exponent);

}  // namespace sunder::html
