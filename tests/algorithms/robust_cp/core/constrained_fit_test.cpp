#include "algorithms/robust_cp/core/constrained_fit.hpp"

#include <gtest/gtest.h>

#include "algorithms/cp/constrained_problem.hpp"

namespace sunder::robust {
namespace {

DenseCore core_of(const DenseTensor& tensor) {
  DenseCore core;
  core.shape = tensor.shape();
  core.values = Eigen::Map<const Entries>(tensor.typed<double>().data(), tensor.entries());
  return core;
}

/// From the truth with noise on its factors, of either sign.
TEST(ConstrainedFit, ObeysAndFitsBetterThanTheModelThatWasOnlyClipped) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const CpModel truth = test::nonnegative_model(Shape{15, 16, 17}, 3, seed);
    const DenseTensor tensor = test::corrupted(truth, {.density = 0.1, .noise = 0.05}, seed);
    const DenseCore core = core_of(tensor);
    const double sigma = 0.05 * truth.norm() / std::sqrt(static_cast<double>(tensor.entries()));
    const ModeConstraints constraints({{}, {0, 1, 2}}, truth.shape());
    Factors factors = truth.factors();
    Rng rng(seed, 3);
    for (Matrix& factor : factors) {
      for (double& x : factor.reshaped()) x += 0.1 * rng.normal();
    }
    Factors clipped = factors;
    impose(constraints, clipped);
    Monitor monitor;
    constrain(core, constraints, sigma, factors, monitor);
    for (const Matrix& factor : factors) EXPECT_GE(factor.minCoeff(), 0);
    EXPECT_LT(distance(factors, truth.factors()), 0.3 * distance(clipped, truth.factors()));
  }
}

TEST(ConstrainedFit, WithoutConstraintsNothingMoves) {
  const CpModel truth = test::random_model(Shape{8, 9, 10}, 2, 1);
  const DenseTensor tensor = test::dense(truth);
  Factors factors = truth.factors();
  Monitor monitor;
  constrain(core_of(tensor), {}, 1, factors, monitor);
  for (int m = 0; m < 3; ++m) EXPECT_EQ(factors[m], truth.factor(m));
}

}  // namespace
}  // namespace sunder::robust
