#pragma once
/// The command line of `sunder`: all commands with their flags.

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.hpp"

namespace sunder::cli {

class CommandLine {
 public:
  CommandLine();

  /// What the words ask for, which is not done yet. Throws CLI::Success for --help and --version,
  /// to be answered by `answer`, and OptionError for whatever is not understood.
  const Command& read(std::vector<std::string> words);

  /// Prints what was asked for.
  int answer(const CLI::Success& request) const { return app_.exit(request); }

 private:
  CLI::App app_;
  std::vector<std::pair<CLI::App*, Command>> commands_;
};

}  // namespace sunder::cli
