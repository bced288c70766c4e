// Words of a command line, one on each line; or one option as NAME=VALUE: numbers, sizes, ranks,
// and the options of every method.
#include <vector>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "fuzz.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/job/memory_plan.hpp"

namespace {

using namespace sunder;

/// Read, not run.
void read_command_line(const std::string& text) {
  static cli::CommandLine line;
  std::vector<std::string> words;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
  }
  fuzz::expect_answer_or_error([&] {
    try {
      line.read(words);
    } catch (const CLI::Success&) {  // --help and --version
    }
  });
}

void read_option(const std::string& text) {
  const std::size_t cut = text.find('=');
  const std::string name = text.substr(0, cut);
  const std::string value = cut == std::string::npos ? text : text.substr(cut + 1);
  fuzz::expect_answer_or_error([&] { parse_bytes("memory", value); });
  fuzz::expect_answer_or_error([&] { parse_rank(value); });
  fuzz::expect_answer_or_error([&] { make_method(name); });
  // One method for each input: to make all of them takes a hundred times as long as to set an
  // option.
  static const std::vector<std::string> methods = method_names();
  const std::string& method = methods[text.size() % methods.size()];
  fuzz::expect_answer_or_error([&] { make_method(method)->set(name, value); });
  const auto solver = make_method(method);
  for (const MethodOption& option : solver->options()) {
    fuzz::expect_answer_or_error([&] { solver->set(option.name, value); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  text.find('\n') == std::string::npos ? read_option(text) : read_command_line(text);
  return 0;
}
