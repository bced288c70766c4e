// Options as text: numbers, sizes, ranks, those of every method.
#include <vector>

#include "cli/cli.hpp"
#include "cli/memory_plan.hpp"
#include "fuzz.hpp"
#include "sunder/algorithms/method.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  const std::string text(data, data + size);
  const std::size_t cut = text.find('=');
  const std::string name = text.substr(0, cut);
  const std::string value = cut == std::string::npos ? text : text.substr(cut + 1);
  fuzz::expect_answer_or_error([&] { cli::parse_bytes("--memory", value); });
  fuzz::expect_answer_or_error([&] { parse_rank(value); });
  fuzz::expect_answer_or_error([&] { make_method(name); });
  // One method for each input: to make all of them takes a hundred times as long as to set an
  // option.
  static const std::vector<std::string> methods = method_names();
  const std::string& method = methods[size % methods.size()];
  fuzz::expect_answer_or_error([&] { make_method(method)->set(name, value); });
  const auto solver = make_method(method);
  for (const MethodOption& option : solver->options()) {
    fuzz::expect_answer_or_error([&] { solver->set(option.name, value); });
  }
  return 0;
}
