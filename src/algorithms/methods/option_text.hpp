#pragma once
/// The values of options as text, in both directions.

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "sunder/algorithms/constraints.hpp"
#include "sunder/algorithms/noise_estimate.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

using ModePair = std::array<int, 2>;

/// Throws OptionError, which names the option between backticks.
[[noreturn]] void refuse_value(std::string_view option, std::string_view expected,
                               std::string_view text);

template <class T>
T parse_option(std::string_view option, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse_value(option, std::is_integral_v<T> ? "a whole number" : "a number", text);
  }
  return value;
}
template <>
bool parse_option(std::string_view option, std::string_view text);
/// A number, or "measured".
template <>
std::optional<double> parse_option(std::string_view option, std::string_view text);
/// As in 0,1.
template <>
ModePair parse_option(std::string_view option, std::string_view text);
/// As in 0,2, or "none".
template <>
ModeList parse_option(std::string_view option, std::string_view text);
/// As in 1,2, "none" or "auto".
template <>
SmoothModes parse_option(std::string_view option, std::string_view text);
/// As in 0,1/2,3, or "none".
template <>
ModeGroups parse_option(std::string_view option, std::string_view text);

/// By name: auto, gaussian, poisson, proportional or t.
template <>
NoiseFamily parse_option(std::string_view option, std::string_view text);
/// As on or off.
template <>
Casewise parse_option(std::string_view option, std::string_view text);

template <class T>
std::string option_text(const T& value) {
  return fmt::format("{}", value);
}
std::string option_text(const std::optional<double>& value);
std::string option_text(NoiseFamily family);
std::string option_text(Casewise casewise);
std::string option_text(const ModePair& modes);
std::string option_text(const ModeList& modes);
std::string option_text(const ModeGroups& groups);
std::string option_text(const SmoothModes& smooth);

}  // namespace sunder
