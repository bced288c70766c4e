#pragma once
/// `sunder decompose FILE --stream`: the slices of the last mode, one by one.

#include <optional>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "sunder/algorithms/stream.hpp"

namespace sunder::cli {

/// The flags of decompose that a stream shares with a batch run.
struct StreamRequest {
  std::string input;
  std::string rank;
  std::uint64_t seed = 1;
  int threads = 0;
  std::optional<double> noise_width;
  std::string truth;
  std::string output;
  bool force = false;
  ConsoleOptions talk;
};

class StreamCommand {
 public:
  void add_flags(CLI::App& command);
  /// Whether --stream was given. Throws OptionError for flags that need it.
  bool wanted() const;
  ExitCode run(const StreamRequest& request) const;

 private:
  bool stream_ = false;
  StreamOptions options_;
  bool still_ = false;
  std::string state_;
  std::vector<CLI::Option*> only_with_stream_;
};

}  // namespace sunder::cli
