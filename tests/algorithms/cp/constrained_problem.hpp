#pragma once
/// Tensors whose factors are shared or not negative, with outliers and noise.

#include <cmath>
#include <limits>

#include "planted_problem.hpp"

namespace sunder::test {

struct Corruption {
  double density = 0.15;          ///< of outliers, as large as the entries are
  double noise = 0;               ///< in units of the root mean square of L
  bool symmetric = false;         ///< entries (i, j, ...) and (j, i, ...) alike
  bool without_diagonal = false;  ///< entries (i, i, ...) are missing
};

/// u u w: modes 0 and 1 share a factor with entries of either sign, mode 2 is positive and has
/// zeros.
inline CpModel shared_model(Index n, Index networks, int rank, std::uint64_t seed) {
  Rng rng(seed, 7);
  Matrix u = Matrix::NullaryExpr(n, rank, [&] { return rng.normal(); });
  Matrix w =
      Matrix::NullaryExpr(networks, rank, [&] { return std::max(0.0, rng.uniform(-0.3, 1.5)); });
  return {Vector::Ones(rank), {u, u, w}};
}

/// Nothing negative, a third of the entries zero.
inline CpModel nonnegative_model(const Shape& shape, int rank, std::uint64_t seed) {
  Rng rng(seed, 8);
  std::vector<Matrix> factors;
  for (const Index extent : shape) {
    factors.emplace_back(
        Matrix::NullaryExpr(extent, rank, [&] { return std::max(0.0, rng.uniform(-0.5, 1)); }));
  }
  return {Vector::Ones(rank), std::move(factors)};
}

inline DenseTensor corrupted(const CpModel& model, const Corruption& how, std::uint64_t seed) {
  DenseTensor tensor = dense(model);
  const Shape shape = model.shape();
  const double size = model.norm() / std::sqrt(static_cast<double>(shape.entries()));
  std::span<double> entries = tensor.typed<double>();
  for (Index p = 0; p < shape.entries(); ++p) {
    ModeIndices index = shape.unravel(p);
    double& entry = entries[p];
    if (how.without_diagonal && index[0] == index[1]) {
      entry = std::numeric_limits<double>::quiet_NaN();
    }
    if (how.symmetric && index[0] > index[1]) std::swap(index[0], index[1]);
    Index key = 0;
    for (int m = 0; m < shape.order(); ++m) {
      key = key * shape[m] + index[m];
    }
    Rng rng(seed, 100 + static_cast<std::uint64_t>(key));
    entry += how.noise * size * rng.normal();
    if (rng.bernoulli(how.density)) entry += size * rng.uniform(0.5, 3);
  }
  return tensor;
}

}  // namespace sunder::test
