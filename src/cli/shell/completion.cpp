#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <span>

#include "cli/command_tree.hpp"
#include "cli/shell/shell.hpp"

namespace sunder::cli {

namespace {

// The shells call `sunder complete-word -- WORDS`, where the last word is the one under the cursor,
// so that the choice is made in one place. The answer has one word per line, followed by a tab and
// its meaning; :files and :folders tell the shell to offer its own.
constexpr const char* bash_script = R"(# Completion of sunder in bash.
_sunder() {
  local word
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
      :folders) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
      *) COMPREPLY+=("$word"); continue ;;
    esac
    compopt -o filenames 2>/dev/null
  done < <("$1" complete-word -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _sunder sunder
)";

constexpr const char* zsh_script = R"(#compdef sunder
# Completion of sunder in zsh.
_sunder() {
  local word meaning
  local -a offers
  while IFS=$'\t' read -r word meaning; do
    case $word in
      :files) _files ;;
      :folders) _files -/ ;;
      *) offers+=("${word//:/\\:}:$meaning") ;;
    esac
  done < <("${words[1]}" complete-word -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#offers )) && _describe sunder offers
}
if [[ $funcstack[1] == _sunder ]]; then _sunder "$@"; else compdef _sunder sunder; fi
)";

constexpr const char* fish_script = R"(# Completion of sunder in fish.
function __sunder_offers
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in ($words[1] complete-word -- $words[2..-1] "$word" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path "$word"
      case :folders
        __fish_complete_directories "$word"
      case '*'
        echo $line
    end
  end
end
complete -c sunder -f -a '(__sunder_offers)'
)";

struct Shell {
  const char* name;
  const char* script;
};
constexpr Shell shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

std::string first_sentence(const std::string& text) { return text.substr(0, text.find(';')); }

/// Prints one line of the answer.
void offer(const std::string& word, const std::string& prefix, const std::string& meaning = "") {
  if (word.starts_with(prefix)) fmt::print("{}\t{}\n", word, meaning);
}

void offer_values(const CLI::Option& option, const std::string& prefix, const std::string& before) {
  for (const std::string& value : choices(option)) offer(before + value, before + prefix);
  const std::string label = value_label(option);
  if (label == "FILE" || label == "CLIP" || label == "DOCUMENTS" || label == "SAMPLES") {
    fmt::print(":files\n");
  }
  if (label == "FOLDER") fmt::print(":folders\n");
}

void offer_flags(const CLI::App& command, const std::string& prefix) {
  for (const CLI::Option* option : visible_flags(command)) {
    for (const std::string& name : spellings(*option)) {
      offer(name, prefix, first_sentence(option->get_description()));
    }
  }
}

/// The command, and the option or argument, that the words before the cursor lead to.
struct CursorContext {
  const CLI::App* command = nullptr;
  const CLI::Option* awaiting = nullptr;  ///< the option whose value comes next
  std::size_t arguments = 0;              ///< positional arguments so far

  void go_on(const std::string& word);
};

void CursorContext::go_on(const std::string& word) {
  if (awaiting != nullptr) {
    if (word != "=") awaiting = nullptr;  // bash splits --flag=value into three words
    return;
  }
  if (word.starts_with('-')) {
    const CLI::Option* const option = command->get_option_no_throw(word);
    if (option != nullptr && !value_label(*option).empty()) awaiting = option;
    return;
  }
  if (const CLI::App* const next = command_of(*command, word)) {
    *this = {next};
  } else {
    ++arguments;
  }
}

ExitCode complete(const CLI::App& root, std::span<const std::string> words) {
  if (words.empty()) return done;
  CursorContext context{&root};
  for (const std::string& word : words.first(words.size() - 1)) context.go_on(word);
  const std::string& last = words.back();
  if (context.awaiting != nullptr) {
    offer_values(*context.awaiting, last == "=" ? "" : last, "");
    return done;
  }
  if (const std::size_t sign = last.find('='); last.starts_with('-') && sign != std::string::npos) {
    const CLI::Option* const option = context.command->get_option_no_throw(last.substr(0, sign));
    if (option != nullptr) offer_values(*option, last.substr(sign + 1), last.substr(0, sign + 1));
    return done;
  }
  if (last.starts_with('-')) {
    offer_flags(*context.command, last);
    return done;
  }
  if (context.arguments == 0) {
    for (const CLI::App* each : visible_commands(*context.command)) {
      offer(each->get_name(), last, each->get_description());
    }
  }
  const std::vector<const CLI::Option*> expected = positionals(*context.command);
  if (context.arguments < expected.size()) offer_values(*expected[context.arguments], last, "");
  return done;
}

}  // namespace

Command add_completion(CLI::App& command) {
  auto chosen = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  command.add_option("shell", *chosen, "the shell to complete in")
      ->required()
      ->check(CLI::IsMember(names));
  command.footer(
      "bash: source <(sunder completion bash)       in ~/.bashrc\n"
      "zsh:  source <(sunder completion zsh)        in ~/.zshrc, after compinit\n"
      "fish: sunder completion fish | source        in ~/.config/fish/config.fish\n"
      "An installed package already has them.");
  return [chosen] {
    for (const Shell& shell : shells) {
      if (*chosen == shell.name) fmt::print("{}", shell.script);
    }
    return done;
  };
}

Command add_complete_word(CLI::App& command) {
  command.group("");  // hidden: only the scripts call it
  auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("words", *words);
  return [words, &command] { return complete(root_of(command), *words); };
}

}  // namespace sunder::cli
