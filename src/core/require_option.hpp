#pragma once
/// The check of an option, with the message that all layers give.

#include <fmt/format.h>

#include <string_view>

#include "sunder/core/error.hpp"

namespace sunder {

/// Throws OptionError, which names the option between backticks, unless the value is valid.
template <class T>
void require_option(bool valid, std::string_view name, std::string_view expected, const T& value) {
  if (!valid) throw OptionError(fmt::format("`{}` must be {}, but is {}", name, expected, value));
}

/// More threads than any machine has processors; the stacks of some ten thousand exhaust memory.
inline constexpr int most_threads = 1024;

/// Throws OptionError unless the number of threads is from 0, which means one for each processor,
/// to `most_threads`.
inline void require_threads(int threads) {
  require_option(threads >= 0 && threads <= most_threads, "threads",
                 fmt::format("a whole number from 0 to {}", most_threads), threads);
}

/// Throws OptionError unless the value is from 0 to 1.
inline void require_share(std::string_view name, double value) {
  require_option(value >= 0 && value <= 1, name, "a share from 0 to 1", value);
}

}  // namespace sunder
