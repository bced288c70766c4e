#pragma once
/// Cores with a known truth, for the tests of the parts of robust-cp.

#include <cmath>

#include "algorithms/robust_cp/core/dense_core.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::test {

struct CoreCorruption {
  double density = 0.2;   ///< share of the entries that are outliers
  bool one_sided = true;  ///< outliers are positive, as the hard ones are
  double missing = 0;     ///< share of the entries that are missing
  double noise = 0;       ///< standard deviation, in units of rms(L)
};

struct PlantedCore {
  robust::DenseCore core;
  robust::Factors truth;

  /// Relative distance of a model from the truth.
  double error(const robust::Factors& factors) const {
    return robust::distance(factors, truth) / robust::norm(truth);
  }
};

/// Normal factors.
inline robust::Factors normal_factors(const Shape& shape, Index rank, std::uint64_t seed) {
  Rng rng(seed, 11);
  robust::Factors factors;
  for (const Index extent : shape) {
    factors.emplace_back(Matrix::NullaryExpr(extent, rank, [&] { return rng.normal(); }));
  }
  robust::balance(factors);
  return factors;
}

/// Outliers are half to twice as large as the entries of L are.
inline PlantedCore planted_core(const Shape& shape, Index rank, const CoreCorruption& how,
                                std::uint64_t seed) {
  PlantedCore planted;
  planted.truth = normal_factors(shape, rank, seed);
  robust::DenseCore& core = planted.core;
  core.shape = shape;
  core.values = robust::evaluate(planted.truth);
  const double size = std::sqrt(core.values.square().mean());
  Rng rng(seed, 12);
  if (how.missing > 0) core.observed = robust::Entries::Ones(core.values.size());
  for (Index i = 0; i < core.values.size(); ++i) {
    core.values[i] += how.noise * size * rng.normal();
    if (rng.bernoulli(how.density)) {
      const double sign = how.one_sided || rng.bernoulli(0.5) ? 1 : -1;
      core.values[i] += sign * size * rng.uniform(0.5, 2);
    }
    if (how.missing > 0 && rng.bernoulli(how.missing)) core.observed[i] = core.values[i] = 0;
  }
  return planted;
}

/// The core with its slices in another order: slice i of a mode is slice order[i] of `core`.
inline robust::DenseCore with_slices(const robust::DenseCore& core, int mode,
                                     const std::vector<Index>& order) {
  robust::DenseCore result = core;
  for (Index i = 0; i < core.values.size(); ++i) {
    ModeIndices index = core.shape.unravel(i);
    Index& slice = index[mode];
    slice = order[slice];
    const Index from = core.shape.linear(index);
    result.values[i] = core.values[from];
    if (!core.complete()) result.observed[i] = core.observed[from];
  }
  return result;
}

}  // namespace sunder::test
