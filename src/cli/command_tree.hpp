#pragma once
/// What the commands accept, read back from how they were registered: manual pages and completion
/// are made from it, and so cannot drift away from the flags.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sunder::cli {

/// The root of the tree that the command is in.
const CLI::App& root_of(const CLI::App& command);
/// The words that call it, as in "sunder learn topics".
std::string full_name(const CLI::App& command);
/// Without those that are hidden from the help.
std::vector<const CLI::App*> visible_commands(const CLI::App& command);
/// Nothing if there is none of this name.
const CLI::App* command_of(const CLI::App& parent, const std::string& name);

/// Flags, and options with a value. Without those that are hidden from the help.
std::vector<const CLI::Option*> visible_flags(const CLI::App& command);
/// The arguments that are told by their place, in their order.
std::vector<const CLI::Option*> positionals(const CLI::App& command);
/// Short names first: "-r", "--rank".
std::vector<std::string> spellings(const CLI::Option& option);
/// The values of a closed set, such as {f64,f32} or the names of the methods; empty for any other.
std::vector<std::string> choices(const CLI::Option& option);
/// What stands for the value in the help, as in N or FILE; empty for a flag.
std::string value_label(const CLI::Option& option);

}  // namespace sunder::cli
