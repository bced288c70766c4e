#pragma once
/// Files that are broken, or made to break their reader: each with the command that is to refuse
/// it. hostile_files.md lists them with what the command says.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/run_command.hpp"

namespace sunder::testing {

struct HostileFile {
  std::string name;   ///< of the file, in the folder of the case
  std::string wrong;  ///< what is wrong with it
  Arguments command;
  std::function<void(const std::filesystem::path& folder)> make;
};

/// Sound files for the cases to spoil: good.npy, result/, checkpoint/, state, parts/. False if a
/// command failed.
bool write_sound_files(const std::filesystem::path& folder);

std::vector<HostileFile> hostile_files();

}  // namespace sunder::testing
