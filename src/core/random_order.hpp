#pragma once
/// Lists in random order, and parts of them.

#include <cstdint>
#include <utility>
#include <vector>

#include "sunder/core/rng.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// Every order is equally likely (Fisher and Yates).
template <class T>
void shuffle(std::vector<T>& list, Rng& rng) {
  for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[rng.below(k)]);
}

/// `count` distinct numbers of 0 .. `of` - 1, in the order in which they were drawn.
std::vector<Index> draw_distinct(Index of, Index count, Rng& rng);

}  // namespace sunder
