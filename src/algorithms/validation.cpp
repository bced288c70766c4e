#include "algorithms/validation.hpp"

#include <algorithm>

namespace sunder {

void require_rank(int rank, const Shape& shape) {
  if (rank < 1) {
    throw OptionError(fmt::format("the rank must be at least 1, but is {}", rank));
  }
  const Index longest = *std::max_element(shape.begin(), shape.end());
  const Index most = shape.entries() / longest;
  if (rank > most) {
    throw InputError(fmt::format(
        "rank {} is more than a tensor of shape {} can have: choose a rank from 1 to {}", rank,
        to_string(shape), most));
  }
}

}  // namespace sunder
