#pragma once
/// Which random numbers of a planted tensor are used for what. Each purpose has a stream of its
/// own, so that changing one option leaves everything else as it was.

#include "sunder/core/rng.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// The numbers are part of the format of a seed: append, never renumber.
enum class Purpose : std::uint64_t {
  factor = 0,
  zero_rows = 1,
  weights = 2,
  blocks = 3,
  support = 4,
  value = 5,
  sign = 6,
  noise = 7,
  missing = 8,
  direction = 9,        ///< of a rotation
  changed_factor = 10,  ///< the factors after a change, and below the directions they turn in
  changed_direction = 11,
};

inline Rng stream(std::uint64_t seed, Purpose purpose, int mode = 0) {
  return Rng(seed,
             static_cast<std::uint64_t>(purpose) * max_order + static_cast<std::uint64_t>(mode));
}

}  // namespace sunder
