#pragma once
/// NumPy and Octave, where installed: the judges of whether our files are theirs. And real data.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace sunder::testing {

inline bool succeeds(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

/// A Python that has `module`.
inline std::optional<std::string> python_with(const std::string& module) {
  for (const std::string program : {"/usr/bin/python3", "python3"}) {
    if (succeeds(program + " -c 'import " + module + "'")) return program;
  }
  return std::nullopt;
}

/// Runs a script in `folder`; it must not contain single quotes.
inline bool run_python(const std::string& python, const std::filesystem::path& folder,
                       const std::string& script) {
  return std::system(
             ("cd '" + folder.string() + "' && " + python + " -c '" + script + "'").c_str()) == 0;
}

inline bool has_octave() { return succeeds("octave-cli --version"); }

inline bool run_octave(const std::filesystem::path& folder, const std::string& script) {
  return succeeds("cd '" + folder.string() + "' && octave-cli --norc --eval '" + script + "'");
}

/// A file of the shared data, or nothing where they are absent.
inline std::optional<std::string> shared_data(const std::string& name) {
  const char* const set = std::getenv("SUNDER_DATA");
  const std::filesystem::path folder =
      set != nullptr ? set : std::filesystem::path(SUNDER_SOURCE_DIR) / "../shared/data";
  if (!std::filesystem::exists(folder / name)) return std::nullopt;
  return (folder / name).string();
}

}  // namespace sunder::testing

#define SUNDER_REQUIRE_DATA(variable, name)                                         \
  const std::optional<std::string> variable = ::sunder::testing::shared_data(name); \
  if (!variable) GTEST_SKIP() << name << " is not in SUNDER_DATA or ../shared/data"
