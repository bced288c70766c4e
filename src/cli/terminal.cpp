#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>

#include "cli/cli.hpp"
#include "sunder/core/error.hpp"

namespace sunder::cli {

namespace {

// A signal handler can reach nothing but a global.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interrupt_seen = 0;

void note_interrupt(int) { interrupt_seen = 1; }

/// A mapped file was cut off while it was worked on: there is no way back into the computation.
void end_where_a_file_ends(int) {
  constexpr std::string_view message =
      "sunder: a file was cut off, or could not be read, while it was worked on; nothing was "
      "written: copy it again, and leave it alone meanwhile\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(bad_input);
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

void Talk::add_flags(CLI::App& command) {
  command.add_flag("--quiet,-q", quiet, "print nothing but errors");
  command.add_flag("--json", json, "print one JSON object on standard output, nothing else there");
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

ProgressBar::ProgressBar(const Talk& talk) : state_(std::make_unique<State>()) {
  state_->visible = !talk.quiet && isatty(STDERR_FILENO) == 1;
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
