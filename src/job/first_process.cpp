#include "job/first_process.hpp"

#include <span>
#include <vector>

namespace sunder {

std::string text_of_first(const Communicator& processes, const std::string& text) {
  const auto length =
      static_cast<std::size_t>(number_of_first(processes, static_cast<std::int64_t>(text.size())));
  std::vector<double> codes(text.begin(), text.end());
  codes.resize(length);
  processes.broadcast(codes, 0);
  std::string result;
  for (const double code : codes) result.push_back(static_cast<char>(code));
  return result;
}

std::int64_t number_of_first(const Communicator& processes, std::int64_t number) {
  auto value = static_cast<double>(number);
  processes.broadcast(std::span(&value, 1), 0);
  return static_cast<std::int64_t>(value);
}

}  // namespace sunder
