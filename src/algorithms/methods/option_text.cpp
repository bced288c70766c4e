#include "algorithms/methods/option_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace sunder {

namespace {

/// The parts of a text between separators; "none" has no parts.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text == "none") return parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Finds the choice of this name.
template <class Choice>
Choice named(std::string_view option, std::string_view text, std::initializer_list<Choice> all) {
  std::vector<std::string_view> names;
  for (const Choice choice : all) {
    if (to_string(choice) == text) return choice;
    names.push_back(to_string(choice));
  }
  refuse_value(option, fmt::format("one of {}", fmt::join(names, ", ")), text);
}

}  // namespace

void refuse_value(std::string_view option, std::string_view expected, std::string_view text) {
  throw OptionError(fmt::format("`{}` must be {}, but is '{}'", option, expected, text));
}

template <>
bool parse_option(std::string_view option, std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse_value(option, "true or false", text);
}

template <>
std::optional<double> parse_option(std::string_view option, std::string_view text) {
  if (text == "measured") return std::nullopt;
  return parse_option<double>(option, text);
}

template <>
NoiseFamily parse_option(std::string_view option, std::string_view text) {
  return named(option, text,
               {NoiseFamily::automatic, NoiseFamily::gaussian, NoiseFamily::poisson,
                NoiseFamily::proportional, NoiseFamily::t});
}

template <>
Casewise parse_option(std::string_view option, std::string_view text) {
  return named(option, text, {Casewise::on, Casewise::off});
}

template <>
ModePair parse_option(std::string_view option, std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) refuse_value(option, "two modes, as in 0,1", text);
  return {parse_option<int>(option, text.substr(0, comma)),
          parse_option<int>(option, text.substr(comma + 1))};
}

template <>
ModeList parse_option(std::string_view option, std::string_view text) {
  ModeList modes;
  for (const std::string_view mode : parts_of(text, ',')) {
    modes.push_back(parse_option<int>(option, mode));
  }
  return modes;
}

template <>
SmoothModes parse_option(std::string_view option, std::string_view text) {
  if (text == "auto") return {};
  return {false, parse_option<ModeList>(option, text)};
}

template <>
ModeGroups parse_option(std::string_view option, std::string_view text) {
  ModeGroups groups;
  for (const std::string_view group : parts_of(text, '/')) {
    groups.push_back(parse_option<ModeList>(option, group));
  }
  return groups;
}

std::string option_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "measured";
}

std::string option_text(NoiseFamily family) { return std::string(to_string(family)); }

std::string option_text(Casewise casewise) { return std::string(to_string(casewise)); }

std::string option_text(const ModePair& modes) { return fmt::format("{}", fmt::join(modes, ",")); }

std::string option_text(const ModeList& modes) {
  return modes.empty() ? "none" : fmt::format("{}", fmt::join(modes, ","));
}

std::string option_text(const SmoothModes& smooth) {
  return smooth.automatic ? "auto" : option_text(smooth.modes);
}

std::string option_text(const ModeGroups& groups) {
  std::vector<std::string> texts;
  for (const ModeList& group : groups) texts.push_back(option_text(group));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, "/"));
}

}  // namespace sunder
