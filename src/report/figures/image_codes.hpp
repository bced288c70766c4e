#pragma once
/// Numbers as bytes, and bytes as text: how pictures travel inside a page.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The byte of an entry that is missing.
inline constexpr std::uint8_t missing_code = 255;
/// The byte of `high`; that of `low` is 0.
inline constexpr std::uint8_t highest_code = 254;

/// Values from `low` to `high` as 0 .. 254, those beyond as the nearer end, NaN as 255. With
/// low = -high the value 0 is exactly 127.
std::vector<std::uint8_t> image_codes(std::span<const float> values, double low, double high);

/// RFC 4648, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace sunder
