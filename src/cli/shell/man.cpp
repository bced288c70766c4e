#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command_tree.hpp"
#include "cli/shell/shell.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/staged_folder.hpp"

namespace sunder::cli {

namespace {

/// Escapes text for roff. Every - is one that can be copied into a command line.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string page_name(const CLI::App& command) {
  std::string name = full_name(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string reference(const CLI::App& command) { return bold(page_name(command)) + "(1)"; }

std::string entry(const std::string& term, const std::string& text) {
  return ".TP\n" + term + "\n" + text + "\n";
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

/// Keeps the layout, because the lines of a footer are tables and commands.
std::string verbatim(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "" : ".nf\n" + escaped(text) + "\n.fi\n";
}

std::string synopsis(const CLI::App& command) {
  std::string text = bold(full_name(command));
  if (!visible_flags(command).empty()) text += " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* argument : positionals(command)) {
    const std::string name = italic(argument->get_name(true));
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  text += "\n";
  if (!visible_commands(command).empty()) {
    text += fmt::format(".br\n{} {} ...\n", bold(full_name(command)), italic("COMMAND"));
  }
  return text;
}

std::string arguments(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* argument : positionals(command)) {
    text += entry(italic(argument->get_name(true)) + " " + escaped(value_label(*argument)),
                  escaped(argument->get_description()));
  }
  return text;
}

std::string flag_entry(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : spellings(option)) names.push_back(bold(name));
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  if (const std::string label = value_label(option); !label.empty()) term += " " + italic(label);
  std::string text = escaped(option.get_description());
  if (!option.get_default_str().empty()) {
    text += fmt::format(" [{}]", escaped(option.get_default_str()));
  }
  return entry(term, text);
}

/// Lists the options by group, the common group first and without a title.
std::string flags(const CLI::App& command) {
  const std::string common = "Options";
  std::string first;
  std::vector<std::pair<std::string, std::string>> others;
  for (const CLI::Option* option : visible_flags(command)) {
    if (option->get_group() == common) {
      first += flag_entry(*option);
      continue;
    }
    const auto same = [&](const auto& group) { return group.first == option->get_group(); };
    auto place = std::find_if(others.begin(), others.end(), same);
    if (place == others.end()) place = others.insert(others.end(), {option->get_group(), ""});
    place->second += flag_entry(*option);
  }
  for (const auto& [title, text] : others) {
    first += fmt::format(".SS {}\n{}", escaped(title), text);
  }
  return first;
}

std::string commands(const CLI::App& command) {
  std::string text;
  for (const CLI::App* each : visible_commands(command)) {
    text += entry(reference(*each), escaped(each->get_description()));
  }
  return text;
}

std::string exit_status() {
  std::string text;
  for (const auto& [code, meaning] : exit_meanings) {
    text += entry(fmt::format("{}", static_cast<int>(code)), escaped(meaning));
  }
  return text;
}

std::string see_also(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  if (parent == nullptr) return "";
  std::vector<std::string> pages = {reference(*parent)};
  for (const CLI::App* each : visible_commands(*parent)) {
    if (each != &command) pages.push_back(reference(*each));
  }
  return fmt::format("{}\n", fmt::join(pages, ",\n"));
}

/// Writes one page of section 1 in the macros of man(7), without a date.
std::string manual_page(const CLI::App& command) {
  std::string title = page_name(command);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"sunder {}\" \"User Commands\"\n", escaped(title),
                     SUNDER_VERSION) +
         section("NAME", fmt::format("{} \\- {}\n", escaped(page_name(command)),
                                     escaped(command.get_description()))) +
         section("SYNOPSIS", synopsis(command)) + section("ARGUMENTS", arguments(command)) +
         section("OPTIONS", flags(command)) + section("COMMANDS", commands(command)) +
         section("NOTES", verbatim(command.get_footer())) + section("EXIT STATUS", exit_status()) +
         section("SEE ALSO", see_also(command));
}

void write_pages(const CLI::App& command, const std::filesystem::path& folder) {
  write_text(folder / (page_name(command) + ".1"), manual_page(command));
  for (const CLI::App* each : visible_commands(command)) write_pages(*each, folder);
}

struct ManCommand {
  std::vector<std::string> words;
  std::string output;

  ExitCode run(const CLI::App& root) const;
};

ExitCode ManCommand::run(const CLI::App& root) const {
  if (!output.empty()) {
    if (!words.empty()) {
      throw OptionError(
          "-o writes the pages of all commands: omit it to print the page of one command");
    }
    StagedFolder folder(output, {"sunder-*.1", "sunder.1"}, true);
    write_pages(root, folder.path());
    folder.publish();
    return done;
  }
  const CLI::App* command = &root;
  for (const std::string& word : words) {
    command = command_of(*command, word);
    if (command == nullptr) {
      throw OptionError(fmt::format("there is no command '{}'; 'sunder --help' lists them",
                                    fmt::join(words, " ")));
    }
  }
  fmt::print("{}", manual_page(*command));
  return done;
}

}  // namespace

Command add_man(CLI::App& command) {
  auto state = std::make_shared<ManCommand>();
  command
      .add_option("command", state->words,
                  "the command, in one or two words; by default sunder itself")
      ->type_name("COMMAND");
  add_output(command, state->output, "folder for the pages of all commands");
  command.footer("To read one: sunder man decompose | man -l -");
  return [state, &command] { return state->run(root_of(command)); };
}

}  // namespace sunder::cli
