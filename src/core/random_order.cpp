#include "core/random_order.hpp"

#include <numeric>

namespace sunder {

std::vector<Index> draw_distinct(Index of, Index count, Rng& rng) {
  std::vector<Index> all(of);
  std::iota(all.begin(), all.end(), Index{0});
  const auto wanted = static_cast<std::size_t>(count);
  for (std::size_t k = 0; k < wanted; ++k) std::swap(all[k], all[k + rng.below(all.size() - k)]);
  all.resize(wanted);
  return all;
}

}  // namespace sunder
