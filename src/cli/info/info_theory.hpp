#pragma once
/// `sunder info FILE --theory`: the quantities of the paper's analysis for a decomposed tensor.

#include <cstdint>
#include <string>

#include "cli/cli.hpp"

namespace sunder::cli {

class TheoryRequest {
 public:
  void add_flags(CLI::App& command);
  /// Returns true if --theory was given. Throws OptionError for options that need it, or that it
  /// needs.
  bool wanted() const;
  ExitCode run(const std::string& input, const ConsoleOptions& console) const;

 private:
  bool theory_ = false;
  std::string rank_;
  std::string method_;
  std::string truth_;
  double delta_ = 1e-6;
  std::uint64_t seed_ = 1;
  std::vector<CLI::Option*> only_with_theory_;
};

}  // namespace sunder::cli
