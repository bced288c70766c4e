#pragma once
/// What the commands share: how they are registered, how they talk, how they end.

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sunder/core/progress.hpp"

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

/// Runs after the command line has been read; throws sunder::Error for what goes wrong.
using Command = std::function<ExitCode()>;

Command add_generate(CLI::App& command);
Command add_decompose(CLI::App& command);
Command add_info(CLI::App& command);
Command add_bench(CLI::App& command);

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
