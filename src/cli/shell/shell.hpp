#pragma once
/// Manual pages and shell completion.

#include "cli/cli.hpp"

namespace sunder::cli {

Command add_man(CLI::App& command);
Command add_completion(CLI::App& command);
/// The hidden command that the scripts of add_completion() call.
Command add_complete_word(CLI::App& command);

struct ExitMeaning {
  ExitCode code;
  const char* meaning;
};

/// As shown in the help and the manual pages.
inline constexpr ExitMeaning exit_meanings[] = {
    {done, "done"},
    {failed, "failed: out of memory, disk full, ..."},
    {usage, "usage: an option is unknown, missing, malformed or out of range"},
    {bad_input, "bad input or output place: a file cannot be read, the folder is in use"},
    {did_not_converge, "did not converge; the result is written all the same"},
    {interrupted, "interrupted; nothing is written"},
};

}  // namespace sunder::cli
