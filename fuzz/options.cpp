// Options as text: numbers, sizes, ranks, those of every method.
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
  for (const std::string& method : method_names()) {
    fuzz::expect_answer_or_error([&] { make_method(method)->set(name, value); });
    for (const MethodOption& option : make_method(method)->options()) {
      fuzz::expect_answer_or_error([&] { make_method(method)->set(option.name, value); });
    }
  }
  return 0;
}
