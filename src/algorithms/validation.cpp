#include "algorithms/validation.hpp"

#include <algorithm>

namespace sunder {

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

void require_observed(Index missing, const Shape& shape) {
  if (missing == shape.entries()) {
    throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
  }
}

}  // namespace sunder
