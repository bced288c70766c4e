#include "algorithms/paper/grad_ascent.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "algorithms/entries_of.hpp"
#include "planted_problem.hpp"

namespace sunder {
namespace {

Matrix seeded_orthonormal(Index n, Index rank, std::uint64_t seed) {
  Rng rng(seed);
  return test::orthonormal(n, rank, rng);
}

CpModel symmetric_model(Index n, const Vector& weights, std::uint64_t seed) {
  const Matrix u = seeded_orthonormal(n, weights.size(), seed);
  return {weights, {u, u, u}};
}

/// A symmetric tensor of independent normal entries.
DenseTensor symmetric_noise(Index n, std::uint64_t seed) {
  DenseTensor noise(Shape{n, n, n});
  Rng rng(seed);
  const auto at = [&](Index i, Index j, Index k) -> double& {
    return noise.typed<double>()[(i * n + j) * n + k];
  };
  for (Index i = 0; i < n; ++i) {
    for (Index j = i; j < n; ++j) {
      for (Index k = j; k < n; ++k) {
        const double x = rng.normal();
        at(i, j, k) = at(i, k, j) = at(j, i, k) = at(j, k, i) = at(k, i, j) = at(k, j, i) = x;
      }
    }
  }
  return noise;
}

Eigenpairs eigenpairs_of(const DenseTensor& tensor, const SymmetricForm& form, int rank,
                         std::uint64_t seed, const GradAscentOptions& options = {}) {
  test::EntriesOf of(tensor);
  Rng rng(seed);
  return grad_ascent(of.entries, form, rank, options, rng);
}

TEST(GradAscent, FindsEveryEigenpairOfAnOrthogonalTensor) {
  const Vector distinct = Vector::LinSpaced(5, 5, 1);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Vector& weights : {distinct, Vector(Vector::Ones(5))}) {
      const CpModel truth = symmetric_model(30, weights, seed);
      const Eigenpairs found = eigenpairs_of(test::dense(truth), SymmetricItself(), 5, seed);
      ASSERT_EQ(found.values.size(), 5);
      EXPECT_TRUE(found.converged);
      EXPECT_LE((found.values - weights).cwiseAbs().maxCoeff(), 1e-12 * weights[0]);
      EXPECT_LE(found.components.distance(truth), 1e-12 * truth.norm());
      // Each eigenvector is one of the u_i, sign included.
      const Matrix overlap = found.vectors.transpose() * truth.factor(0);
      for (Index j = 0; j < 5; ++j) EXPECT_NEAR(overlap.row(j).maxCoeff(), 1, 1e-12);
    }
  }
}

TEST(GradAscent, ReturnsEigenpairsOfThePerturbedTensor) {
  const Index n = 40;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Vector weights = Vector::LinSpaced(4, 2, 1);
    DenseTensor tensor = test::dense(symmetric_model(n, weights, seed));
    const DenseTensor noise = symmetric_noise(n, 100 + seed);
    // The spectral norm of such noise is below 4 sqrt(n): sigma_r / sqrt(n) at most in all.
    const double scale = 1 / (4 * static_cast<double>(n));
    for (std::size_t i = 0; i < tensor.typed<double>().size(); ++i) {
      tensor.typed<double>()[i] += scale * noise.typed<double>()[i];
    }
    const Eigenpairs found = eigenpairs_of(tensor, SymmetricItself(), 4, seed);
    ASSERT_EQ(found.values.size(), 4);
    EXPECT_TRUE(found.converged);
    test::EntriesOf of(tensor);
    const Matrix product = SymmetricItself().square(of.entries, found.vectors);
    EXPECT_LE((product - found.vectors * found.values.asDiagonal()).colwise().norm().maxCoeff(),
              1e-10);
    // And they are near the eigenpairs of the unperturbed one.
    EXPECT_LE((found.values - weights).cwiseAbs().maxCoeff(), 4 / std::sqrt(n));
  }
}

TEST(GradAscent, ConvergesLinearly) {
  const DenseTensor tensor = [] {
    DenseTensor sum = test::dense(symmetric_model(40, Vector::LinSpaced(3, 2, 1), 3));
    const DenseTensor noise = symmetric_noise(40, 4);
    for (std::size_t i = 0; i < sum.typed<double>().size(); ++i) {
      sum.typed<double>()[i] += noise.typed<double>()[i] / 160;
    }
    return sum;
  }();
  GradAscentOptions options;
  options.power_iterations = 2;  // leaves something for the ascent
  const Eigenpairs found = eigenpairs_of(tensor, SymmetricItself(), 3, 1, options);
  ASSERT_TRUE(found.converged);
  ASSERT_GE(found.residuals.size(), 20U);
  // The step 1/(4 lambda) against a curvature of lambda leaves 3/4 of the error each time.
  for (std::size_t t = 5; t + 1 < found.residuals.size(); ++t) {
    if (found.residuals[t] < 1e-11) break;
    EXPECT_LT(found.residuals[t + 1], 0.9 * found.residuals[t]) << "iteration " << t;
  }
}

TEST(GradAscent, ShiftedPowerIterationFindsTheSamePairs) {
  const Vector weights = Vector::LinSpaced(3, 3, 1);
  const CpModel truth = symmetric_model(25, weights, 2);
  GradAscentOptions options;
  options.shift = 0.5;
  options.power_iterations = 40;  // a shift makes convergence linear
  const Eigenpairs found = eigenpairs_of(test::dense(truth), SymmetricItself(), 3, 1, options);
  EXPECT_LE(found.components.distance(truth), 1e-12 * truth.norm());
}

TEST(GradAscent, DecomposesAnAsymmetricTensorThroughItsEmbedding) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const CpModel truth(Vector::LinSpaced(2, 2, 1),
                        {seeded_orthonormal(20, 2, seed), seeded_orthonormal(30, 2, seed + 10),
                         seeded_orthonormal(40, 2, seed + 20)});
    const Eigenpairs found = eigenpairs_of(test::dense(truth), SymmetricEmbedding(), 2, seed);
    ASSERT_EQ(found.values.size(), 2);
    EXPECT_LE(found.components.distance(truth), 1e-11 * truth.norm()) << "seed " << seed;
  }
}

TEST(GradAscent, FindsNothingInAZeroTensor) {
  const DenseTensor zeros(Shape{8, 8, 8});
  const Eigenpairs found = eigenpairs_of(zeros, SymmetricItself(), 3, 1);
  EXPECT_EQ(found.values.size(), 0);
  EXPECT_EQ(found.components.rank(), 0);
}

}  // namespace
}  // namespace sunder
