#include "algorithms/robust_cp/extend/extension.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/planted_core.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::robust {
namespace {

/// A whole tensor, and the exact solution of a core of it.
struct ExtensionProblem {
  test::PlantedCore planted;
  DenseTensor tensor;
  IndexSets sets;
  CoreSolution core;

  ExtensionProblem(const Shape& shape, Index side, const test::CoreCorruption& how,
                   std::uint64_t seed)
      : planted(test::planted_core(shape, 2, how, seed)), tensor(shape) {
    copy_values();
    Rng rng(seed, 3);
    sets = draw_indices(shape, Shape(std::vector<Index>(3, side)), rng);
    take_core();
  }
  void copy_values() {
    std::span<double> values = tensor.typed<double>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<Index>(i);
      values[i] = planted.core.is_observed(at) ? planted.core.values[at] : std::nan("");
    }
  }
  void take_core() {
    core.exact = true;
    core.spread = spread(planted.core, thinned(informative(planted.core)));
    core.factors.clear();
    for (std::size_t m = 0; m < 3; ++m) {
      core.factors.emplace_back(planted.truth[m](sets[m], Eigen::all));
    }
  }
  Factors extended(const ExtensionOptions& options = {}) const {
    Engine engine(tensor.view(), 1);
    Rng rng(4);
    Monitor monitor;
    return extend(engine, sets, core, options, rng, monitor);
  }
};

TEST(Extension, FindsEveryRowOfEveryMode) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const ExtensionProblem problem({40, 35, 30}, 15, {.density = 0.3}, seed);
    EXPECT_LT(problem.planted.error(problem.extended()), 1e-11) << seed;
  }
}

TEST(Extension, MissingEntriesDoNotHinderIt) {
  const ExtensionProblem problem({40, 35, 30}, 16, {.density = 0.2, .missing = 0.3}, 4);
  EXPECT_LT(problem.planted.error(problem.extended()), 1e-11);
}

/// The core was solved for T / scale.
TEST(Extension, IsThatOfTheScaledTensor) {
  const ExtensionProblem plain({30, 30, 30}, 14, {.density = 0.2}, 5);
  ExtensionProblem scaled({30, 30, 30}, 14, {.density = 0.2}, 5);
  for (double& x : scaled.tensor.typed<double>()) x *= 0x1p50;
  const Factors factors = plain.extended();
  const Factors same = scaled.extended({.scale = 0x1p50, .constraints = {}});
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(factors[m], same[m]);
}

/// A row of which three quarters are outliers needs more than the 40 r columns that others see.
TEST(Extension, DoubtfulRowsSeeAllColumns) {
  ExtensionProblem problem({30, 30, 30}, 20, {.density = 0.05}, 6);
  Rng rng(7);
  for (Index i = 0; i < 900; ++i) {
    if (rng.bernoulli(0.75)) problem.planted.core.values[11 * 900 + i] += rng.uniform(3, 9);
  }
  problem.copy_values();
  const Factors factors = problem.extended();
  const Matrix& truth = problem.planted.truth[0];
  EXPECT_LT((factors[0].row(11) - truth.row(11)).norm(), 1e-9 * truth.row(11).norm());
}

/// With the core's own values at random rows, others do not suffer.
TEST(Extension, ARowOfNoiseSpoilsNoOther) {
  ExtensionProblem problem({30, 28, 26}, 15, {.density = 0.1}, 8);
  Rng rng(9);
  for (Index i = 0; i < 28 * 26; ++i) problem.planted.core.values[4 * 28 * 26 + i] = rng.normal();
  problem.copy_values();
  const Factors factors = problem.extended();
  for (Index i = 0; i < 30; ++i) {
    if (i == 4) continue;
    EXPECT_LT((factors[0].row(i) - problem.planted.truth[0].row(i)).norm(), 1e-9) << i;
  }
}

/// One of them is extended; the other has its rows, with the signs of the core.
TEST(Extension, SharedModesAreExtendedOnce) {
  ExtensionProblem problem({30, 30, 24}, 14, {.density = 0}, 10);
  problem.planted.truth[1] = problem.planted.truth[0];
  problem.planted.truth[1].col(1) *= -1;
  problem.planted.core.values = evaluate(problem.planted.truth);
  problem.copy_values();
  problem.sets[1] = problem.sets[0];
  problem.take_core();
  const ModeConstraints constraints({{{0, 1}}, {}}, problem.planted.core.shape);
  const Factors factors = problem.extended({.constraints = constraints});
  EXPECT_EQ(factors[0].col(0), factors[1].col(0));
  EXPECT_EQ(factors[0].col(1), -factors[1].col(1));
  EXPECT_LT(problem.planted.error(factors), 1e-11);
}

TEST(Extension, SingularVectorsAreOrthogonalAndTheProductStays) {
  Factors factors = test::normal_factors({20, 15}, 3, 11);
  factors[0].col(2) = factors[0].col(0) + 1e-3 * factors[0].col(1);  // nearly cancelling
  const Matrix product = factors[0] * factors[1].transpose();
  use_singular_vectors(factors);
  EXPECT_LT((factors[0] * factors[1].transpose() - product).norm(), 1e-12 * product.norm());
  for (const Matrix& factor : factors) {
    Matrix gram = factor.transpose() * factor;
    gram.diagonal().setZero();
    EXPECT_LT(gram.norm(), 1e-11 * factor.squaredNorm());
  }
}

TEST(Extension, SingularValuesOfRoundingBecomeZero) {
  Factors factors = test::normal_factors({20, 15}, 3, 12);
  factors[1].col(2) = factors[1].col(0) + factors[1].col(1);
  use_singular_vectors(factors);
  EXPECT_EQ(factors[0].col(2).norm(), 0);
  EXPECT_GT(factors[0].col(1).norm(), 0);
}

}  // namespace
}  // namespace sunder::robust
