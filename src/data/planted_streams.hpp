#pragma once
/// The use of the random numbers of a planted tensor. Each purpose has its own stream, so that
/// changing one option leaves everything else unchanged.

#include "sunder/core/rng.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

/// The numbers define the meaning of a seed: append new ones, never renumber.
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
  direction = 9,        ///< direction of a rotation
  changed_factor = 10,  ///< the factors after a change, and the directions in which they turn
  changed_direction = 11,
  common_direction = 12,  ///< what collinear columns share
  factor_support = 13,    ///< entries of sparse factors that are not zero
  peak = 14,              ///< centres of peaks, and amounts
  heavy_rows = 15,
  slice_noise = 16,  ///< deviations of slices
  noise_tail = 17,   ///< the denominator of Student's t
  dropout = 18,
  bad_sample = 19,
  garbage = 20,
  other_factor = 21,  ///< the factors of bad samples, and the directions in which they turn
  saturation = 22,    ///< the entries whose quantiles are taken
};

inline Rng stream(std::uint64_t seed, Purpose purpose, int mode = 0) {
  return Rng(seed,
             static_cast<std::uint64_t>(purpose) * max_order + static_cast<std::uint64_t>(mode));
}

}  // namespace sunder
