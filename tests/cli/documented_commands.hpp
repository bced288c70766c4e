#pragma once
/// The commands that a page of the documentation prints, to be run as they stand.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sunder::testing {

/// Lines of the form "    $ sunder ...", as words without "sunder". A word with `*` stands for the
/// files of `folder` that it matches, in order, as a shell has it; `folder` is asked when the
/// command is about to run, so this is one command at a time.
inline std::vector<std::string> documented_commands(const std::filesystem::path& page) {
  const std::string prefix = "    $ sunder ";
  std::vector<std::string> commands;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(prefix)) commands.push_back(line.substr(prefix.size()));
  }
  return commands;
}

inline std::vector<std::string> words_of(const std::string& command,
                                         const std::filesystem::path& folder) {
  std::vector<std::string> words;
  std::istringstream text(command);
  for (std::string word; text >> word;) {
    const std::size_t star = word.find('*');
    if (star == std::string::npos) {
      words.push_back(word);
      continue;
    }
    const std::filesystem::path parent = std::filesystem::path(word).parent_path();
    const std::string before = std::filesystem::path(word.substr(0, star)).filename().string();
    const std::string after = word.substr(star + 1);
    std::vector<std::string> matches;
    for (const auto& entry : std::filesystem::directory_iterator(folder / parent)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(before) && name.ends_with(after)) {
        matches.push_back((parent / name).string());
      }
    }
    std::sort(matches.begin(), matches.end());
    words.insert(words.end(), matches.begin(), matches.end());
  }
  return words;
}

}  // namespace sunder::testing
