#pragma once
/// The command line of `sunder`: all commands with their options.

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.hpp"

namespace sunder::cli {

class CommandLine {
 public:
  CommandLine();

  /// Parses the words and returns the command, which has not run yet. Throws CLI::Success for
  /// --help and --version, which answer() handles, and OptionError for anything that is not
  /// understood.
  const Command& read(std::vector<std::string> words);

  /// Prints the requested help or version.
  int answer(const CLI::Success& request) const { return app_.exit(request); }

 private:
  CLI::App app_;
  std::vector<std::pair<CLI::App*, Command>> commands_;
};

}  // namespace sunder::cli
