#pragma once
/// What the commands share: how they are registered, how they talk, how they end.

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

/// Where a command says things. Results go to standard output, everything else to standard error.
struct Talk {
  bool quiet = false;  ///< only errors
  bool json = false;   ///< one JSON object on standard output, nothing else there

  void add_flags(CLI::App& command);
  /// True when the summary for people should be printed.
  bool for_people() const { return !quiet && !json; }
};

/// Text that may come from a file, for a terminal: control characters, which could move its cursor
/// or retitle its window, become question marks, and line ends spaces.
std::string printable(std::string text);

/// A message of the library, in which options are named as `max-iterations`, for the command line,
/// which has --max-iterations.
std::string with_dashes(const std::string& message);

/// Runs after the command line has been read; throws sunder::Error for what goes wrong.
using Command = std::function<ExitCode()>;

Command add_generate(CLI::App& command);
Command add_decompose(CLI::App& command);
Command add_compare(CLI::App& command);
Command add_reproduce(CLI::App& command);
Command add_info(CLI::App& command);
Command add_bench(CLI::App& command);
Command add_report(CLI::App& command);
Command add_split(CLI::App& command);
Command add_video(CLI::App& command);
Command add_learn(CLI::App& command);

/// A list of whole numbers, as in 60,80,100; every one of them must be there.
CLI::Option* add_integers(CLI::App& command, const std::string& flag, std::vector<int>& list,
                          const std::string& help);
CLI::Option* add_integers(CLI::App& command, const std::string& flag,
                          std::vector<std::int64_t>& list, const std::string& help);
/// Such a list; nothing if it is none.
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text);
/// From 0 to 2^64 - 1; a negative number would otherwise wrap around.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help);
/// A folder whose name is not empty: -o "$FOLDER" with an unset variable is a mistake.
CLI::Option* add_output(CLI::App& command, std::string& folder, const std::string& help);

/// Turns Ctrl-C and SIGTERM into a request that work notices through its callback.
void watch_for_interrupt();
bool interrupt_requested();
/// Throws Cancelled if Ctrl-C was pressed.
void stop_if_interrupted();

/// A callback that draws a progress bar on standard error, if that is a terminal, and cancels after
/// Ctrl-C. The bar is erased when the returned object goes away.
class ProgressBar {
 public:
  explicit ProgressBar(const Talk& talk);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressCallback callback();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "1 234 567" -> readable counts for people.
std::string grouped_digits(std::int64_t number);

}  // namespace sunder::cli
