#include "report/figures/image_codes.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sunder {

std::vector<std::uint8_t> image_codes(std::span<const float> values, double low, double high) {
  std::vector<std::uint8_t> codes;
  codes.reserve(values.size());
  const double span = high > low ? high - low : 1;
  for (const float value : values) {
    if (std::isnan(value)) {
      codes.push_back(missing_code);
      continue;
    }
    const double position = std::clamp((static_cast<double>(value) - low) / span, 0.0, 1.0);
    codes.push_back(static_cast<std::uint8_t>(position * highest_code + 0.5));  // rounded
  }
  return codes;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data();
  const auto put = [&](std::uint32_t group, unsigned count) {
    for (unsigned j = 0; j < count; ++j) *to++ = alphabet[group >> (18 - 6 * j) & 63U];
  };
  const std::uint8_t* at = bytes.data();
  const std::size_t left = bytes.size() % 3;
  for (std::size_t k = 0; k < bytes.size() / 3; ++k, at += 3) {
    put(std::uint32_t{at[0]} << 16U | std::uint32_t{at[1]} << 8U | at[2], 4);
  }
  if (left == 1) put(std::uint32_t{at[0]} << 16U, 2);
  if (left == 2) put(std::uint32_t{at[0]} << 16U | std::uint32_t{at[1]} << 8U, 3);
  return out;
}

}  // namespace sunder
