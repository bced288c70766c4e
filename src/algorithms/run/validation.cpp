#include "algorithms/run/validation.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

constexpr double least_size = 1e-140;
constexpr double largest_size = 1e140;

}  // namespace

Index largest_rank(const Shape& shape) {
  return shape.entries() / *std::max_element(shape.begin(), shape.end());
}

void require_rank(int rank, const Shape& shape) {
  if (rank == 0) {
    throw OptionError("this method cannot choose the rank: give a `rank` of at least 1");
  }
  if (rank < 1) {
    throw OptionError(fmt::format("`rank` must be at least 1, but is {}", rank));
  }
  const Index most = largest_rank(shape);
  if (rank > most) {
    throw InputError(fmt::format(
        "rank {} is more than a tensor of shape {} can have: choose a rank from 1 to {}", rank,
        to_string(shape), most));
  }
}

void require_three_modes(const Shape& shape, std::string_view name) {
  if (shape.order() != 3) {
    throw InputError(
        fmt::format("{} is for tensors of order 3, but this one has shape {}: use "
                    "robust-cp or rtd-als for other orders",
                    name, to_string(shape)));
  }
}

void require_orthogonal_rank(int rank, const Shape& shape) {
  const Index shortest = *std::min_element(shape.begin(), shape.end());
  if (rank > shortest) {
    throw InputError(fmt::format(
        "rank {} is more than the {} orthogonal components that a tensor of shape {} can have",
        rank, shortest, to_string(shape)));
  }
}

void require_observed(Index missing, const Shape& shape) {
  if (missing == shape.entries()) {
    throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
  }
}

void require_range(double largest) {
  if (largest == 0 || (largest >= least_size && largest <= largest_size)) return;
  throw InputError(fmt::format(
      "the largest entry of the tensor is {:.2g} in size, but sums of squares take one from "
      "{:g} to {:g}: multiply the tensor by a power of two, or replace entries that are wrong by "
      "NaN",
      largest, least_size, largest_size));
}

bool may_be_out_of_range(double norm) { return !(norm > least_size && norm < largest_size); }

void require_iterations(int max_iterations) {
  require_option(max_iterations >= 1, "max-iterations", "at least 1", max_iterations);
}

void require_relative_tolerance(double tolerance) {
  require_option(tolerance > 0 && tolerance < 1, "tolerance", "above 0 and below 1", tolerance);
}

}  // namespace sunder
