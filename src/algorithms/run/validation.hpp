#pragma once
/// Checks that methods share.

#include <fmt/format.h>

#include <string_view>

#include "sunder/core/error.hpp"
#include "sunder/core/shape.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// No tensor of this shape has a larger CP rank: the number of entries over the longest mode.
Index largest_rank(const Shape& shape);

/// Throws OptionError below 1, InputError above the largest rank of the shape.
void require_rank(int rank, const Shape& shape);

/// Throws InputError unless the order is 3, for a method that `name` says.
void require_three_modes(const Shape& shape, std::string_view name);

/// Orthogonal components: throws InputError for more of them than the shortest mode is long.
void require_orthogonal_rank(int rank, const Shape& shape);

/// Throws InputError unless the tensor (of order 3) equals its transpositions up to rounding. Reads
/// it twice. A missing entry equals anything.
void require_symmetric(const TensorView& tensor);

/// Throws InputError when every entry is missing.
void require_observed(Index missing, const Shape& shape);

/// Throws InputError if squares of entries up to `largest` in size leave the range of numbers.
void require_range(double largest);
/// Whether an L of this norm may come of such entries.
bool may_be_out_of_range(double norm);

template <class T>
void require_option(bool valid, std::string_view name, std::string_view expected, T value) {
  if (!valid) throw OptionError(fmt::format("{} must be {}, but is {}", name, expected, value));
}

}  // namespace sunder
