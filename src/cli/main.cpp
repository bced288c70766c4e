/// The `sunder` command: reads the command line, runs one command, maps errors to exit codes.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <stdexcept>
#ifdef __GLIBC__  // which the headers above define
#include <malloc.h>
#endif

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/processes.hpp"
#include "sunder/core/error.hpp"

namespace {

using namespace sunder;
using namespace sunder::cli;

/// Prints an error. Of several processes, only the first prints, except for failures that may
/// concern one process alone.
ExitCode complain(ExitCode code, const std::string& message) {
  if (launched_rank() > 0 && code != failed) return code;
  fmt::print(stderr, "sunder: {}\n", printable(with_dashes(message)));
  return code;
}

constexpr const char* no_memory =
    "not enough memory for this tensor; 'sunder decompose --memory 1G' reads it part by part";

ExitCode run(const Command& command) {
  try {
    return command();
  } catch (const OptionError& error) {
    return complain(usage, error.what());
  } catch (const InputError& error) {
    return complain(bad_input, error.what());
  } catch (const OutputError& error) {
    return complain(bad_input, error.what());
  } catch (const Cancelled& cancelled) {
    const std::string what = cancelled.what();
    return complain(interrupted,
                    what == Cancelled().what() ? "interrupted; nothing was written" : what);
  } catch (const std::bad_alloc&) {
    return complain(failed, no_memory);
  } catch (const std::length_error&) {  // a list longer than any memory
    return complain(failed, no_memory);
  } catch (const std::exception& error) {
    return complain(failed, error.what());
  }
}

/// A run allocates arrays of a core's size again and again. By default the C library returns each
/// of them to the system, and a third of a short run is spent on pages that come back cleared.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 16 * megabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * megabyte);
#endif
}

/// What was printed may still be in a buffer, and the disk or the reader behind it may be gone.
int flushed(int code) {
  std::cout.flush();
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (written) return code;
  return complain(failed, "the output could not be written to standard output: is the disk full?");
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  CommandLine line;
  const Command* command = nullptr;
  try {
    command = &line.read(
        {argv + std::min(argc, 1), argv + argc});  // argv may lack even the name of the program
  } catch (const CLI::Success& request) {          // --help and --version
    return flushed(line.answer(request));
  } catch (const OptionError& error) {
    return complain(usage, error.what());
  }
  watch_for_interrupt();
  return flushed(run(*command));
}
