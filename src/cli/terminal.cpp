#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <initializer_list>

#include "cli/cli.hpp"
#include "io/files/foreign_code.hpp"
#include "sunder/core/error.hpp"

namespace sunder::cli {

namespace {

// A signal handler can only access globals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interrupt_seen = 0;

void note_interrupt(int) { interrupt_seen = 1; }

/// Ends the program from a signal handler, where little else is allowed. Several threads may call
/// it at once.
[[noreturn]] void end_with(std::initializer_list<std::string_view> words) {
  static std::atomic_flag ending;
  while (ending.test_and_set()) ::pause();
  for (const std::string_view word : words) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, word.data(), word.size());
  }
  ::_exit(bad_input);
}

/// Handles SIGBUS: a mapped file was truncated while in use, and the computation cannot continue.
void end_where_a_file_ends(int) {
  end_with(
      {"sunder: a file was cut off, or could not be read, while it was in use; nothing was "
       "written: copy it again, and do not change it during the run\n"});
}

/// The previous action on a crash.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
struct sigaction crash_before = {};

/// Handles a crash. A library may not withstand a damaged or malicious file; other crashes keep
/// their previous action.
void end_where_a_library_crashes(int) {
  const char* library = ForeignCode::at_work();
  if (library == nullptr) {
    sigaction(SIGSEGV, &crash_before, nullptr);
    std::raise(SIGSEGV);  // is delivered when this handler returns
    return;
  }
  end_with({"sunder: ", library,
            " crashed on a file, which is damaged or malicious; nothing was written: copy it "
            "again\n"});
}

void watch_for_crashes() {
  // The handler has a stack of its own, because the crash may be an overflow of the other one.
  constexpr std::size_t stack_size = 1 << 16;
  static std::array<char, stack_size> stack;
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = &end_where_a_library_crashes;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &crash_before);
}

}  // namespace

void watch_for_interrupt() {
  struct sigaction action = {};
  action.sa_handler = &note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = &end_where_a_file_ends;
  sigaction(SIGBUS, &action, nullptr);
  watch_for_crashes();
}

bool interrupt_requested() { return interrupt_seen != 0; }

void stop_if_interrupted() {
  if (interrupt_requested()) throw Cancelled();
}

std::string printable(std::string text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    if (text[k] == '\n') {
      text[k] = ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      text[k] = '?';
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F
      text.replace(k, 2, "?");
    }
  }
  return text;
}

void ConsoleOptions::add_flags(CLI::App& command) {
  command.add_flag("--quiet,-q", quiet, "print nothing but errors");
  command.add_flag("--json", json,
                   "print one JSON object on standard output and nothing else there");
}

struct ProgressBar::State {
  using Clock = std::chrono::steady_clock;
  bool visible = false;
  bool drawn = false;
  Clock::time_point next = Clock::now() + std::chrono::milliseconds(300);

  void draw(const Progress& progress) {
    const Clock::time_point now = Clock::now();
    if (!visible || now < next) return;
    next = now + std::chrono::milliseconds(100);
    constexpr int width = 24;
    const int filled = std::clamp(static_cast<int>(progress.fraction * width), 0, width);
    std::string line =
        fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", width - filled, progress.stage);
    if (progress.pass > 0) line += fmt::format(", pass {}", progress.pass);
    if (progress.residual >= 0) line += fmt::format(", residual {:.1e}", progress.residual);
    fmt::print(stderr, "\r\x1b[K{}", line);
    std::fflush(stderr);
    drawn = true;
  }
};

ProgressBar::ProgressBar(const ConsoleOptions& console) : state_(std::make_unique<State>()) {
  state_->visible = !console.quiet && isatty(STDERR_FILENO) == 1;
}

ProgressBar::~ProgressBar() {
  if (state_->drawn) fmt::print(stderr, "\r\x1b[K");
}

ProgressCallback ProgressBar::callback() {
  return [state = state_.get()](const Progress& progress) {
    state->draw(progress);
    return interrupt_requested() ? Continue::cancel : Continue::yes;
  };
}

std::string grouped_digits(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const bool boundary = k > 0 && (digits.size() - k) % 3 == 0 && digits[k - 1] != '-';
    if (boundary) text += ' ';
    text += digits[k];
  }
  return text;
}

}  // namespace sunder::cli
