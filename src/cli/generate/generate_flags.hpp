#pragma once
/// Kinds of flags that the models of `sunder generate` share.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sunder/data/planted_choices.hpp"

namespace sunder::cli {

template <class Choice>
void add_choice(CLI::App& command, const std::string& flag, std::string& value,
                const std::string& help) {
  std::vector<std::string> names;
  for (const auto& entry : names_of<Choice>) names.emplace_back(entry.name);
  command.add_option(flag, value, help)
      ->check(CLI::IsMember(names).description(""))
      ->capture_default_str()
      ->type_name("{" + CLI::detail::join(names, ",") + "}");
}

template <class Number>
void add_number(CLI::App& command, const std::string& flag, Number& value,
                const std::string& help) {
  command.add_option(flag, value, help)->capture_default_str()->type_name("NUMBER");
}

/// Parses numbers with commas between them; returns nullopt if the text is something else.
std::optional<std::vector<double>> parse_numbers(const std::string& text);

CLI::Option* add_numbers(CLI::App& command, const std::string& flag, std::vector<double>& list,
                         const std::string& help);

}  // namespace sunder::cli
