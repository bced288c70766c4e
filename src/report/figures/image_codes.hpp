#pragma once
/// Encoding of pictures inside a page: numbers as bytes, and bytes as text.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The byte of a missing entry.
inline constexpr std::uint8_t missing_code = 255;
/// The byte of `high`; the byte of `low` is 0.
inline constexpr std::uint8_t highest_code = 254;

/// Maps values from `low` to `high` to 0 .. 254, values beyond to the nearer end, and NaN to 255.
/// With low = -high, the value 0 becomes exactly 127.
std::vector<std::uint8_t> image_codes(std::span<const float> values, double low, double high);

/// Encodes bytes as in RFC 4648, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace sunder
