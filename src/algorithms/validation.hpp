#pragma once
/// Checks that methods share.

#include <fmt/format.h>

#include <string_view>

#include "sunder/core/error.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// No tensor of this shape has a larger CP rank: the number of entries over the longest mode.
Index largest_rank(const Shape& shape);

/// Throws OptionError below 1, InputError above the largest rank of the shape.
void require_rank(int rank, const Shape& shape);

/// Throws InputError when every entry is missing.
void require_observed(Index missing, const Shape& shape);

template <class T>
void require_option(bool valid, std::string_view name, std::string_view expected, T value) {
  if (!valid) throw OptionError(fmt::format("{} must be {}, but is {}", name, expected, value));
}

}  // namespace sunder
