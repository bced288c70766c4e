#pragma once
/// How messages name options. The library writes the name between backticks, as in
/// `max-iterations`. Each surface spells it as its own users write it: the command line as
/// --max-iterations, Python as max_iterations.

#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// The name between backticks, for messages about an option whose name is a variable.
std::string option_name(std::string_view name);

/// The message with every option's name replaced by its spelling.
using OptionSpelling = std::function<std::string(std::string_view name)>;
std::string spell_options(std::string_view message, const OptionSpelling& spelling);

/// The option that the message of an error is about: the first one that it names, or an empty text
/// if it names none.
std::string option_of(std::string_view message);

}  // namespace sunder
