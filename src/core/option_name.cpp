#include "sunder/core/option_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder {

namespace {

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         std::all_of(text.begin(), text.end(), allowed);
}

/// Where the next option's name begins and ends, without its backticks; `begin` is npos if there
/// is none.
struct Place {
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
};

Place next_option(std::string_view message, std::size_t from) {
  std::size_t open = message.find('`', from);
  while (open != std::string_view::npos) {
    const std::size_t close = message.find('`', open + 1);
    if (close == std::string_view::npos) break;
    if (is_name(message.substr(open + 1, close - open - 1))) return {open + 1, close};
    open = close;
  }
  return {};
}

}  // namespace

std::string option_name(std::string_view name) { return fmt::format("`{}`", name); }

std::string spell_options(std::string_view message, const OptionSpelling& spelling) {
  std::string text;
  std::size_t done = 0;
  for (Place option = next_option(message, 0); option.begin != std::string_view::npos;
       option = next_option(message, done)) {
    text += message.substr(done, option.begin - 1 - done);
    text += spelling(message.substr(option.begin, option.end - option.begin));
    done = option.end + 1;
  }
  text += message.substr(done);
  return text;
}

std::string option_of(std::string_view message) {
  const Place option = next_option(message, 0);
  if (option.begin == std::string_view::npos) return "";
  return std::string(message.substr(option.begin, option.end - option.begin));
}

}  // namespace sunder
