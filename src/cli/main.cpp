/// The `sunder` command: reads the command line, runs one command, maps errors to exit codes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <vector>

#include "cli/cli.hpp"
#include "cli/processes.hpp"
#include "cli/shell.hpp"
#include "cli/version.hpp"
#include "sunder/core/error.hpp"

namespace {

using namespace sunder;
using namespace sunder::cli;

struct Entry {
  const char* name;
  const char* description;
  Command (*add)(CLI::App&);
};

constexpr Entry commands[] = {
    {"generate", "make a corrupted tensor (or a video scene) whose truth is known", &add_generate},
    {"decompose", "split a tensor into a low-rank and a sparse part", &add_decompose},
    {"compare", "run several methods on one tensor under one budget", &add_compare},
    {"reproduce", "repeat the experiments of the paper", &add_reproduce},
    {"split", "cut a tensor into parts, one for each machine", &add_split},
    {"video", "background, moving objects and masks of a clip or a stream", &add_video},
    {"learn", "models with hidden variables from data or from corrupted moments", &add_learn},
    {"report", "write the page of a result again", &add_report},
    {"info", "describe a tensor in a file", &add_info},
    {"bench", "measure the speed of a pass beside the limits of this machine", &add_bench},
    {"man", "print a manual page", &add_man},
    {"completion", "print what makes a shell complete commands, options and values",
     &add_completion},
    {"complete", "", &add_complete},
};

/// Of several processes the first speaks for all; only what is nobody's mistake concerns one alone.
ExitCode complain(ExitCode code, const std::string& message) {
  if (launched_rank() > 0 && code != failed) return code;
  fmt::print(stderr, "sunder: {}\n", printable(message));
  return code;
}

std::string no_such_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Entry& entry : commands) {
    if (*entry.description != '\0') names.emplace_back(entry.name);
  }
  return fmt::format("there is no command '{}': choose one of {}", word, fmt::join(names, ", "));
}

constexpr const char* no_memory =
    "not enough memory for this tensor; 'sunder decompose --memory 1G' reads one part by part";

std::string exit_codes() {
  std::string text = "Exit codes:";
  for (const auto& [code, meaning] : exit_meanings) {
    text += fmt::format("\n  {:<5}{}", static_cast<int>(code), meaning);
  }
  return text;
}

void add_version(CLI::App& app) {
  const std::string help = "with --version: as one JSON object";
  CLI::Option* const json = app.add_flag("--json", help);
  const auto text = [json] { return json->count() > 0 ? version_as_json() : version_for_people(); };
  json->needs(app.set_version_flag("--version", text, "print the version and how it was built"));
}

ExitCode run(const Command& command) {
  try {
    return command();
  } catch (const OptionError& error) {
    return complain(usage, error.what());
  } catch (const InputError& error) {
    return complain(bad_input, error.what());
  } catch (const OutputError& error) {
    return complain(bad_input, error.what());
  } catch (const Cancelled& cancelled) {
    const std::string what = cancelled.what();
    return complain(interrupted,
                    what == Cancelled().what() ? "interrupted; nothing was written" : what);
  } catch (const std::bad_alloc&) {
    return complain(failed, no_memory);
  } catch (const std::length_error&) {  // a list longer than any memory
    return complain(failed, no_memory);
  } catch (const std::exception& error) {
    return complain(failed, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("split a corrupted tensor T into a low-rank part L and a sparse part S: T = L + S",
               "sunder");
  add_version(app);
  app.require_subcommand(1);
  app.footer("'sunder COMMAND --help' explains a command, 'sunder man' prints manual pages.\n" +
             exit_codes());
  std::vector<std::pair<CLI::App*, Command>> registered;
  for (const Entry& entry : commands) {
    CLI::App* command = app.add_subcommand(entry.name, entry.description);
    registered.emplace_back(command, entry.add(*command));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help and --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    // The library's own message for a misspelt command is that one is required.
    const std::vector<std::string> unknown = app.remaining();
    if (app.get_subcommands().empty() && !unknown.empty()) {
      return complain(usage, no_such_command(unknown[0]));
    }
    return complain(
        usage, fmt::format("{}; see 'sunder --help' or 'sunder COMMAND --help'", error.what()));
  }
  watch_for_interrupt();
  for (const auto& [command, action] : registered) {
    if (command->parsed()) return run(action);
  }
  return usage;
}
