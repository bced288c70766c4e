#pragma once
/// Introspection of the registered commands and options. Manual pages and completion are generated
/// from it, so that they always agree with the options.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sunder::cli {

/// Returns the root of the command's tree.
const CLI::App& root_of(const CLI::App& command);
/// Returns the words that call a command, as in "sunder learn topics".
std::string full_name(const CLI::App& command);
/// Returns the subcommands, without those hidden from the help.
std::vector<const CLI::App*> visible_commands(const CLI::App& command);
/// Returns the subcommand of this name, or null.
const CLI::App* command_of(const CLI::App& parent, const std::string& name);

/// Returns flags and options with a value, without those hidden from the help.
std::vector<const CLI::Option*> visible_flags(const CLI::App& command);
/// Returns the positional arguments in order.
std::vector<const CLI::Option*> positionals(const CLI::App& command);
/// Returns the names of an option, short names first: "-r", "--rank".
std::vector<std::string> spellings(const CLI::Option& option);
/// Returns the values of a closed set, such as {f64,f32} or the names of the methods; empty
/// otherwise.
std::vector<std::string> choices(const CLI::Option& option);
/// Returns the placeholder of the value in the help, as in N or FILE; empty for a flag.
std::string value_label(const CLI::Option& option);

}  // namespace sunder::cli
