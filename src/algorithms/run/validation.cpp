#include "algorithms/run/validation.hpp"

#include <algorithm>
#include <array>
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
    throw OptionError("this method cannot choose the rank: give one of at least 1");
  }
  if (rank < 1) {
    throw OptionError(fmt::format("the rank must be at least 1, but is {}", rank));
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

namespace {

/// The largest entry, and the largest difference from the tensor with two modes exchanged.
struct Asymmetry {
  double largest = 0;
  double difference = 0;
  std::array<Index, 3> where{};
};

void compare(const TensorView& tensor, const TensorView& turned, Asymmetry& found) {
  const Index n = tensor.shape()[0];
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        const double x = tensor({i, j, k});
        const double difference = std::abs(x - turned({i, j, k}));
        if (std::abs(x) > found.largest) found.largest = std::abs(x);
        if (difference > found.difference) {
          found.difference = difference;
          found.where = {i, j, k};
        }
      }
    }
  }
}

}  // namespace

void require_symmetric(const TensorView& tensor) {
  const Shape& shape = tensor.shape();
  if (shape[0] != shape[1] || shape[1] != shape[2]) {
    throw InputError(fmt::format(
        "rtd is for symmetric tensors, but the shape {} has unequal extents: --embed decomposes an "
        "asymmetric tensor through its symmetric embedding",
        to_string(shape)));
  }
  Asymmetry found;  // two exchanges of neighbours generate all the permutations
  compare(tensor, tensor.permuted(std::array{1, 0, 2}), found);
  compare(tensor, tensor.permuted(std::array{0, 2, 1}), found);
  if (found.difference > 1e-6 * found.largest) {
    throw InputError(fmt::format(
        "rtd is for symmetric tensors, but entry ({}, {}, {}) differs from its transposition by "
        "{:.3g}: --embed decomposes an asymmetric tensor through its symmetric embedding",
        found.where[0], found.where[1], found.where[2], found.difference));
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

}  // namespace sunder
