#pragma once
/// Random shapes and models for tests that loop over many of them.

#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::test {

inline Shape random_shape(int order, Index largest, Rng& random) {
  std::vector<Index> extents;
  for (int mode = 0; mode < order; ++mode) {
    extents.push_back(1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(largest))));
  }
  return Shape(extents);
}

inline Matrix random_matrix(Index rows, Index columns, Rng& random) {
  Matrix matrix(rows, columns);
  for (double& x : matrix.reshaped()) x = random.normal();
  return matrix;
}

inline CpModel random_model(const Shape& shape, int rank, Rng& random) {
  std::vector<Matrix> factors;
  for (const Index extent : shape) factors.push_back(random_matrix(extent, rank, random));
  return {random_matrix(rank, 1, random), std::move(factors)};
}

/// Every entry, one at a time: the obvious loop.
inline Vector dense(const CpModel& model) {
  const Shape shape = model.shape();
  Vector entries(shape.entries());
  for (Index k = 0; k < shape.entries(); ++k) entries[k] = model.entry(shape.unravel(k));
  return entries;
}

}  // namespace sunder::test
