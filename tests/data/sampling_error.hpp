#pragma once
/// The accuracy that a share of random draws can be expected to have.

#include <cmath>

#include "sunder/core/shape.hpp"

namespace sunder::test {

/// Returns five standard deviations of the mean of `count` draws that are 1 with probability p.
inline double five_sigma(double p, Index count) {
  return 5 * std::sqrt(p * (1 - p) / static_cast<double>(count));
}

inline double share(Index part, Index whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace sunder::test
