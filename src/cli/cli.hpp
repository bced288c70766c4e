#pragma once
/// The interface that the commands share: registration, console output, exit codes.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/core/progress.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sunder::cli {

/// The exit codes of every command.
enum ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  bad_input = 3,
  did_not_converge = 4,
  interrupted = 130,
};

/// What a command prints. Results go to standard output, everything else to standard error.
struct ConsoleOptions {
  bool quiet = false;  ///< print only errors
  bool json = false;   ///< print one JSON object on standard output, and nothing else there

  void add_flags(CLI::App& command);
  /// Returns true if the summary for people should be printed.
  bool for_people() const { return !quiet && !json; }
};

/// Makes text from a file safe for a terminal: control characters, which could move its cursor or
/// retitle its window, become question marks, and line ends become spaces.
std::string printable(std::string text);

/// Writes the options in a message of the library, named as in `max-iterations`, as the command
/// line spells them: --max-iterations.
std::string with_dashes(const std::string& message);

/// The action of a command, which runs after the command line has been read. It throws
/// sunder::Error if something goes wrong.
using Command = std::function<ExitCode()>;

Command add_generate(CLI::App& command);
Command add_decompose(CLI::App& command);
Command add_complete(CLI::App& command);
Command add_ranks(CLI::App& command);
Command add_compare(CLI::App& command);
Command add_reproduce(CLI::App& command);
Command add_info(CLI::App& command);
Command add_bench(CLI::App& command);
Command add_report(CLI::App& command);
Command add_split(CLI::App& command);
Command add_video(CLI::App& command);
Command add_learn(CLI::App& command);

/// Adds an option whose value is a list of integers, as in 60,80,100; no item may be empty.
CLI::Option* add_integers(CLI::App& command, const std::string& flag, std::vector<int>& list,
                          const std::string& help);
CLI::Option* add_integers(CLI::App& command, const std::string& flag,
                          std::vector<std::int64_t>& list, const std::string& help);
/// Parses such a list; returns nullopt if the text is not one.
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text);
/// Adds --seed, a whole number from 0 to 2^64 - 1.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help);
/// Adds -o with a folder name that must not be empty: -o "$FOLDER" with an unset variable is a
/// mistake.
CLI::Option* add_output(CLI::App& command, std::string& folder, const std::string& help);

/// Turns Ctrl-C and SIGTERM into a request that long-running work notices through its callback.
void watch_for_interrupt();
bool interrupt_requested();
/// Throws Cancelled if the user pressed Ctrl-C.
void stop_if_interrupted();

/// Provides a callback that draws a progress bar on standard error, if that is a terminal, and
/// cancels after Ctrl-C. The destructor erases the bar.
class ProgressBar {
 public:
  explicit ProgressBar(const ConsoleOptions& console);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressCallback callback();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Groups digits for people: 1234567 becomes "1 234 567".
std::string grouped_digits(std::int64_t number);

}  // namespace sunder::cli
