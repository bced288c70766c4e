#include "report/html.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace sunder::html {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view thin_space = "\xE2\x80\xAF";   // U+202F, a narrow no-break space

// The JSON writer decodes UTF-8 strictly, so a round trip through it repairs the text.
std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  const std::string dumped = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(dumped).get<std::string>();
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (is_control(c)) {
          out += replacement;
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) {
    out += raised[digit - '0'];
  }
  return out;
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  // {:g} chooses the notation, except that up to six digits before the point are written out.
  const bool whole = size >= std::pow(10, digits) && size < 999'999.5;
  const std::string plain =
      whole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
  const auto mark = plain.find('e');
  const bool negative = plain.front() == '-';
  const std::size_t first = negative ? 1 : 0;
  std::string out = negative ? "−" : "";
  if (mark == std::string::npos) return out + plain.substr(first);
  const std::string mantissa = plain.substr(first, mark - first);
  if (mantissa != "1") out += mantissa + "×";
  return out + power_of_ten(std::stoi(plain.substr(mark + 1)));
}

std::string count(Index value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const std::size_t left = digits.size() - k;
    if (k > 0 && left % 3 == 0 && digits[k - 1] != '-') out += thin_space;
    out += digits[k];
  }
  return out;
}

std::string percent(double share) {
  return number(100 * share) + (std::isfinite(share) ? std::string(thin_space) + "%" : "");
}

std::string extents(const Shape& shape) {
  std::string out;
  for (const Index extent : shape) {
    if (!out.empty()) out += " × ";
    out += count(extent);
  }
  return out;
}

}  // namespace sunder::html
