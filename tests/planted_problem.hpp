#pragma once
/// Small problems with a known truth, for the tests of the engine and of the methods.

#include "sunder/algorithms/options.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/data/planted.hpp"

namespace sunder::test {

inline PlantedOptions small_problem(std::uint64_t seed) {
  PlantedOptions options;
  options.shape = Shape{30, 25, 20};
  options.rank = 3;
  options.factors = FactorKind::orthonormal;
  options.support = Support::uniform;
  options.density = 0.05;
  options.signs = Signs::random;
  options.seed = seed;
  return options;
}

/// How to look for this many components. One thread, since the tests run side by side.
inline RunOptions of_rank(int rank, std::uint64_t seed = 1, int threads = 1) {
  RunOptions run;
  run.rank = rank;
  run.seed = seed;
  run.threads = threads;
  return run;
}

/// A model with normal entries and weights of either sign.
inline CpModel random_model(const Shape& shape, int rank, std::uint64_t seed) {
  Rng rng(seed, 1);
  const auto normal = [&] { return rng.normal(); };
  std::vector<Matrix> factors;
  for (const Index extent : shape) factors.push_back(Matrix::NullaryExpr(extent, rank, normal));
  return {Vector::NullaryExpr(rank, normal), std::move(factors)};
}

/// Orthonormal columns.
inline Matrix orthonormal(Index n, Index rank, Rng& rng) {
  const Matrix random = Matrix::NullaryExpr(n, rank, [&] { return rng.normal(); });
  const Eigen::HouseholderQR<Matrix> qr(random);
  return qr.householderQ() * Matrix::Identity(n, rank);
}

inline CpModel model_of(const std::vector<Matrix>& factors) {
  return {Vector::Ones(factors.front().cols()), factors};
}

/// Every entry of a model.
inline DenseTensor dense(const CpModel& model) {
  DenseTensor tensor(model.shape());
  const ModeIndices origin{};
  model.evaluate(std::span<const Index>(origin.data(), static_cast<std::size_t>(model.order())),
                 model.shape(), tensor.typed<double>());
  return tensor;
}

}  // namespace sunder::test
