#include "cli/study/frame_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cli/cli.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

void require_increasing(const std::vector<Index>& numbers, const std::string& where) {
  const auto wrong = std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>());
  if (wrong == numbers.end()) return;
  throw InputError(fmt::format("the frame numbers of {} must increase, but {} comes before {}",
                               where, wrong[0], wrong[1]));
}

}  // namespace

std::vector<Index> read_frame_numbers(const std::string& file) {
  const LoadedTensor loaded = open_tensor(file)->load();
  if (loaded.view.order() != 1) {
    throw InputError(fmt::format("{} must be a list of frame numbers, but has shape {}", file,
                                 to_string(loaded.view.shape())));
  }
  std::vector<Index> numbers;
  for (Index k = 0; k < loaded.view.entries(); ++k) {
    const double number = loaded.view({k});
    if (!(number >= 0 && number < 0x1p53) || number != std::floor(number)) {
      throw InputError(fmt::format("{} must be a list of frame numbers, but its entry {} is {}",
                                   file, k, number));
    }
    numbers.push_back(static_cast<Index>(number));
  }
  require_increasing(numbers, file);
  return numbers;
}

std::vector<Index> frame_numbers(const std::string& list_or_file) {
  if (list_or_file.find_first_not_of("0123456789,") != std::string::npos) {
    return read_frame_numbers(list_or_file);
  }
  const std::optional<std::vector<Index>> numbers = parse_integers(list_or_file);
  if (!numbers) {
    throw OptionError(
        fmt::format("'{}' is not a list of frame numbers as in 3,14,15", list_or_file));
  }
  require_increasing(*numbers, list_or_file);
  return *numbers;
}

}  // namespace sunder::cli
