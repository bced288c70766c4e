#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "cli/cli.hpp"
#include "sunder/core/option_name.hpp"

namespace sunder::cli {

namespace {

template <class Integer>
std::optional<std::vector<Integer>> integers_in(std::string_view text) {
  std::vector<Integer> list;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    Integer number = 0;
    const auto parsed = std::from_chars(text.data() + begin, text.data() + end, number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + end) return std::nullopt;
    list.push_back(number);
    begin = end + 1;
  }
  return list;
}

template <class Integer>
std::vector<Integer> require_integers(const std::string& flag, const std::string& text) {
  if (auto list = integers_in<Integer>(text)) return *std::move(list);
  throw CLI::ValidationError(
      flag, fmt::format("'{}' is not a list of whole numbers with commas between them", text));
}

// CLI11's own delimiter skips empty items: 4,,4 would be read as 4,4.
template <class Integer>
CLI::Option* add_list(CLI::App& command, const std::string& flag, std::vector<Integer>& list,
                      const std::string& help) {
  return command.add_option_function<std::string>(
      flag,
      [&list, flag](const std::string& text) { list = require_integers<Integer>(flag, text); },
      help);
}

}  // namespace

std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text) {
  return integers_in<std::int64_t>(text);
}

std::string with_dashes(const std::string& message) {
  return spell_options(message, [](std::string_view name) { return "--" + std::string(name); });
}

CLI::Option* add_integers(CLI::App& command, const std::string& flag, std::vector<int>& list,
                          const std::string& help) {
  return add_list(command, flag, list, help);
}

CLI::Option* add_integers(CLI::App& command, const std::string& flag,
                          std::vector<std::int64_t>& list, const std::string& help) {
  return add_list(command, flag, list, help);
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  // CLI11 itself would wrap negative numbers around, and turn those that are too large into 2^64
  // - 1.
  const auto check = [](const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool valid = parsed.ec == std::errc() && parsed.ptr == end;
    return valid ? std::string() : fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
  };
  return command.add_option("--seed", seed, help)
      ->check(check)
      ->capture_default_str()
      ->type_name("N");
}

CLI::Option* add_output(CLI::App& command, std::string& folder, const std::string& help) {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string("the name of the folder is empty") : std::string();
  };
  return command.add_option("--output,-o", folder, help)->check(check)->type_name("FOLDER");
}

}  // namespace sunder::cli
