#include "cli/generate/generate_flags.hpp"

#include <fmt/format.h>

namespace sunder::cli {

std::optional<std::vector<double>> parse_numbers(const std::string& text) {
  std::vector<double> list;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double number = 0;
    if (!CLI::detail::lexical_cast(text.substr(begin, end - begin), number)) return std::nullopt;
    list.push_back(number);
    begin = end + 1;
  }
  return list;
}

CLI::Option* add_numbers(CLI::App& command, const std::string& flag, std::vector<double>& list,
                         const std::string& help) {
  return command.add_option_function<std::string>(
      flag,
      [&list, flag](const std::string& text) {
        std::optional<std::vector<double>> numbers = parse_numbers(text);
        if (!numbers) {
          throw CLI::ValidationError(
              flag, fmt::format("'{}' is not a list of numbers with commas between them", text));
        }
        list = *std::move(numbers);
      },
      help);
}

}  // namespace sunder::cli
