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
    codes.push_back(static_cast<std::uint8_t>(std::lround(position * highest_code)));
  }
  return codes;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t present = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8U | (j < present ? bytes[k + j] : 0U);
    for (unsigned j = 0; j < 4; ++j) {
      out += j <= present ? alphabet[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return out;
}

}  // namespace sunder
