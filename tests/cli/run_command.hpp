#pragma once
/// The built command, run as a user runs it, but without a shell in between.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sunder::testing {

using Arguments = std::vector<std::string>;

inline constexpr int bad_input = 3;  ///< exit code for a file that cannot be used

struct CommandRun {
  int code = -1;  ///< of exit; -1 after a signal or a timeout
  std::string out;
  std::string err;
};

/// A command in the background. Killed when this goes away, so that no test leaves one behind.
class RunningCommand {
 public:
  /// `environment` holds "NAME=value", in front of what this process has.
  /// `input` is the file for standard input. `address_space` is what `ulimit -v` limits, in bytes.
  RunningCommand(const Arguments& arguments, const std::filesystem::path& folder,
                 const Arguments& environment = {}, const std::string& input = "/dev/null",
                 rlim_t address_space = RLIM_INFINITY)
      : out_(std::tmpfile(), &std::fclose), err_(std::tmpfile(), &std::fclose) {
    // Everything that allocates comes before fork().
    Arguments words = {SUNDER_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Arguments variables = environment;
    const std::vector<char*> argv = pointers(words);
    std::vector<char*> envp = pointers(variables);
    envp.pop_back();
    for (char** entry = environ; *entry != nullptr; ++entry) envp.push_back(*entry);
    envp.push_back(nullptr);
    process_ = ::fork();
    if (process_ != 0) return;
    const int in = ::open(input.c_str(), O_RDONLY);
    const bool ready =
        ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(::fileno(out_.get()), STDOUT_FILENO) >= 0 &&
        ::dup2(::fileno(err_.get()), STDERR_FILENO) >= 0 && ::chdir(folder.c_str()) == 0;
    const struct rlimit limit { address_space, address_space };
    if (address_space != RLIM_INFINITY) ::setrlimit(RLIMIT_AS, &limit);
    if (ready) ::execve(SUNDER_COMMAND, argv.data(), envp.data());
    ::_exit(127);
  }
  ~RunningCommand() {
    if (!running()) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  bool running() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) != 0;
    return !ended_;
  }
  void send(int signal) {
    if (running()) ::kill(process_, signal);
  }

  CommandRun wait(std::chrono::duration<double> timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (running()) {
      if (std::chrono::steady_clock::now() > deadline) {
        return {-1, contents(out_.get()), contents(err_.get()) + "(still running: timeout)\n"};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -1, contents(out_.get()),
            contents(err_.get())};
  }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  static std::vector<char*> pointers(Arguments& words) {
    std::vector<char*> list;
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
  }

  static std::string contents(std::FILE* file) {
    std::string text;
    std::rewind(file);
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
      text.append(buffer, count);
    }
    return text;
  }

  File out_;
  File err_;
  pid_t process_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// To its end; a healthy run takes seconds, but sanitizers are slow.
inline CommandRun run_command(const Arguments& arguments, const std::filesystem::path& folder,
                              const Arguments& environment = {},
                              const std::string& input = "/dev/null",
                              std::chrono::minutes at_most = std::chrono::minutes(2)) {
  return RunningCommand(arguments, folder, environment, input).wait(at_most);
}

}  // namespace sunder::testing
