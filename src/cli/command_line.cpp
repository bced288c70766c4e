#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/built_parts.hpp"
#include "cli/command_tree.hpp"
#include "cli/shell/shell.hpp"
#include "cli/shell/version.hpp"
#include "cli/suggestion.hpp"
#include "sunder/core/error.hpp"

namespace sunder::cli {

namespace {

struct Entry {
  const char* name;
  const char* description;
  Command (*add)(CLI::App&);
};

// A build without video or learning does not link their commands, and does not offer them.
using AddCommand = Command(CLI::App& command);
constexpr AddCommand* video_command() {
  if constexpr (with_video) return &add_video;
  return nullptr;
}
constexpr AddCommand* learn_command() {
  if constexpr (with_learn) return &add_learn;
  return nullptr;
}

constexpr Entry all_entries[] = {
    {"generate", "generate a corrupted tensor (or a video scene) with a known truth",
     &add_generate},
    {"decompose", "split a tensor into a low-rank and a sparse part", &add_decompose},
    {"complete", "fill the gaps of a tensor", &add_complete},
    {"ranks", "say how many components a tensor has", &add_ranks},
    {"compare", "run several methods on one tensor under one budget", &add_compare},
    {"reproduce", "repeat the experiments of the paper", &add_reproduce},
    {"split", "divide a tensor into parts, one for each machine", &add_split},
    {"video", "separate a video into background and moving objects", video_command()},
    {"learn", "learn models with hidden variables from data or from corrupted moments",
     learn_command()},
    {"report", "write the report of a result again", &add_report},
    {"info", "describe a tensor in a file", &add_info},
    {"bench", "measure the speed of a pass and compare it with the limits of this machine",
     &add_bench},
    {"man", "print a manual page", &add_man},
    {"completion", "print the script with which a shell completes commands, options and values",
     &add_completion},
    {"complete-word", "", &add_complete_word},
};

/// The commands of this build.
std::vector<Entry> entries() {
  std::vector<Entry> built;
  for (const Entry& entry : all_entries) {
    if (entry.add != nullptr) built.push_back(entry);
  }
  return built;
}

std::string no_such_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (*entry.description != '\0') names.emplace_back(entry.name);
  }
  const std::string meant = did_you_mean(word, names);
  return fmt::format("there is no command '{}'{} {}", word,
                     meant.empty() ? ": choose one of" : meant,
                     meant.empty() ? fmt::format("{}", fmt::join(names, ", "))
                                   : "'sunder --help' lists all commands");
}

/// The command that was called, or the command below it.
const CLI::App& called_command(const CLI::App& app) {
  const auto called = app.get_subcommands([](const CLI::App* each) { return each->parsed(); });
  return called.empty() ? app : called_command(*called.front());
}

/// The first word that no command knows, an option if there is one. CLI11 complains first of what
/// is missing, even where it is only misspelt.
std::optional<std::string> unknown_word(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return std::nullopt;
  for (const std::string& word : words) {
    if (word.size() > 1 && word.starts_with('-')) return word.substr(0, word.find('='));
  }
  return words.front();
}

std::string no_such_word(const CLI::App& command, const std::string& word) {
  const bool is_option = word.starts_with('-');
  std::vector<std::string> known;
  for (const CLI::App* below : visible_commands(command)) known.push_back(below->get_name());
  for (const CLI::Option* option : visible_flags(command)) {
    for (std::string& name : spellings(*option)) known.push_back(std::move(name));
  }
  const std::string meant = did_you_mean(word, known);
  return fmt::format("'{0}' {1} '{2}'{3} '{0} --help' lists what it takes", full_name(command),
                     is_option ? "has no option" : "does not take", word,
                     meant.empty() ? ":" : meant);
}

std::string exit_codes() {
  std::string text = "Exit codes:";
  for (const auto& [code, meaning] : exit_meanings) {
    text += fmt::format("\n  {:<5}{}", static_cast<int>(code), meaning);
  }
  return text;
}

void add_version(CLI::App& app) {
  const std::string help = "with --version: print one JSON object";
  CLI::Option* const json = app.add_flag("--json", help);
  const auto text = [json] { return json->count() > 0 ? version_as_json() : version_for_people(); };
  json->needs(app.set_version_flag("--version", text, "print the version and how it was built"));
}

}  // namespace

CommandLine::CommandLine()
    : app_("split a corrupted tensor T into a low-rank part L and a sparse part S: T = L + S",
           "sunder") {
  add_version(app_);
  app_.require_subcommand(1);
  app_.footer("'sunder COMMAND --help' explains a command, 'sunder man' prints manual pages.\n" +
              exit_codes());
  for (const Entry& entry : entries()) {
    CLI::App* command = app_.add_subcommand(entry.name, entry.description);
    commands_.emplace_back(command, entry.add(*command));
  }
}

const Command& CommandLine::read(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // in the order that CLI11 expects
  try {
    app_.parse(std::move(words));
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    // CLI11's own message for a misspelt command says only that a command is required.
    const std::vector<std::string> unknown = app_.remaining();
    if (app_.get_subcommands().empty() && !unknown.empty()) {
      throw OptionError(no_such_command(unknown[0]));
    }
    const CLI::App& command = called_command(app_);
    if (const auto word = unknown_word(command)) throw OptionError(no_such_word(command, *word));
    throw OptionError(fmt::format("{}; see '{} --help'", error.what(), full_name(command)));
  }
  const auto called = [](const auto& command) { return command.first->parsed(); };
  return std::find_if(commands_.begin(), commands_.end(), called)->second;
}

}  // namespace sunder::cli
