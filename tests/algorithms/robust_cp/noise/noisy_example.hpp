#pragma once
/// A small core with noise and gross errors, whose truth is known.

#include "algorithms/robust_cp/core/dense_core.hpp"

namespace sunder::robust::test {

struct NoisyExample {
  Factors truth;
  DenseCore core;
};

inline Factors normal_factors(const Shape& shape, Index rank, Rng& rng) {
  Factors factors;
  for (const Index extent : shape) {
    factors.emplace_back(Matrix::NullaryExpr(extent, rank, [&] { return rng.normal(); }));
  }
  return factors;
}

/// Errors of one sign on a share of the entries.
inline NoisyExample noisy_example(const Shape& shape, Index rank, double noise, double errors,
                                  std::uint64_t seed) {
  Rng rng(seed);
  NoisyExample example;
  example.truth = normal_factors(shape, rank, rng);
  example.core.shape = shape;
  example.core.values = evaluate(example.truth);
  const double size = std::sqrt(example.core.values.square().mean());
  for (double& x : example.core.values) {
    x += noise * size * rng.normal();
    if (rng.bernoulli(errors)) x += size * rng.uniform(1, 3);
  }
  return example;
}

inline double relative_error(const Factors& found, const Factors& truth) {
  return distance(found, truth) / norm(truth);
}

}  // namespace sunder::robust::test
