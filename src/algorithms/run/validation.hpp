#pragma once
/// Checks that methods share.

#include <string_view>

#include "core/require_option.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// The number of entries over the longest mode: no tensor of this shape has a larger CP rank.
Index largest_rank(const Shape& shape);

/// Throws OptionError below 1, InputError above the largest rank of the shape.
void require_rank(int rank, const Shape& shape);

/// Throws InputError unless the order is 3. `name` is that of the method.
void require_three_modes(const Shape& shape, std::string_view name);

/// Throws InputError for more components than can be orthogonal, which the shortest mode limits.
void require_orthogonal_rank(int rank, const Shape& shape);

/// Throws InputError when every entry is missing.
void require_observed(Index missing, const Shape& shape);

/// Throws InputError if squares of entries up to `largest` in size leave the range of numbers.
void require_range(double largest);
/// Whether an L of this norm can be the result of such entries.
bool may_be_out_of_range(double norm);

/// Throws OptionError unless `max-iterations` is at least 1.
void require_iterations(int max_iterations);

/// Throws OptionError unless `tolerance`, a share of a norm, is above 0 and below 1.
void require_relative_tolerance(double tolerance);

}  // namespace sunder
