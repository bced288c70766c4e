#pragma once
/// Small problems with a known truth, for the tests of the engine and of the methods.

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

/// A model with normal entries and weights of either sign.
inline CpModel random_model(const Shape& shape, int rank, std::uint64_t seed) {
  Rng rng(seed, 1);
  const auto normal = [&] { return rng.normal(); };
  std::vector<Matrix> factors;
  for (const Index extent : shape) factors.push_back(Matrix::NullaryExpr(extent, rank, normal));
  return {Vector::NullaryExpr(rank, normal), std::move(factors)};
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
