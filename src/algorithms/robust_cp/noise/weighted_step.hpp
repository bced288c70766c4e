#pragma once
/// Steps of the factors under weights: J'DJ delta = gradient.

#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

/// The products of a dense block of values with the factors, all modes.
Factors products(const DenseCore& core, const Entries& values, const Factors& factors);

/// Weights of entries that are products of one weight for each mode.
using SeparableWeights = std::vector<Vector>;

/// The separable weights whose sums over slices are the Fisher information there, which is the sum
/// of squares of the score, but at least half of what the weights P(inlier) / v give.
/// The information of the score over that of the weights; at least a half.
double information_share(const std::vector<SliceSums>& slices);
SeparableWeights fisher_information(const std::vector<SliceSums>& slices);

/// Solved on the r x r Grams alone. Where `free` is given, entries that are 0 there do not move.
Factors separable_step(const Factors& factors, const Factors& gradient,
                       const SeparableWeights& weights, double damping,
                       const Factors* free = nullptr);

/// With the weights of the entries themselves, by a few conjugate gradients that the separable step
/// preconditions. Each of them reads the core.
Factors weighted_step(const DenseCore& core, const Factors& factors, const Factors& gradient,
                      const Entries& weights, const SeparableWeights& separable, double damping,
                      const Factors* free, Monitor& monitor);

}  // namespace sunder::robust
