#include "cli/command_tree.hpp"

#include <CLI/CLI.hpp>

#include "sunder/algorithms/method.hpp"

namespace sunder::cli {

const CLI::App& root_of(const CLI::App& command) {
  const CLI::App* root = &command;
  while (root->get_parent() != nullptr) root = root->get_parent();
  return *root;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<const CLI::App*> visible_commands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

const CLI::App* command_of(const CLI::App& parent, const std::string& name) {
  for (const CLI::App* each : visible_commands(parent)) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

std::vector<const CLI::Option*> visible_flags(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return !option->get_group().empty() && !option->get_positional();
  });
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return !option->get_group().empty() && option->get_positional();
  });
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  // There are too many methods to list them in the help of every option.
  if (type == "METHOD") return method_names();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string value_label(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  if (type.find('{') != std::string::npos) return type.substr(type.find('{'));
  return type.substr(0, type.find(':'));  // the rest is the name of a check
}

}  // namespace sunder::cli
