#include "algorithms/robust_cp/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {
namespace {

std::vector<double> normal_sizes(double sigma, int count, Rng& rng) {
  std::vector<double> sizes;
  for (int k = 0; k < count; ++k) sizes.push_back(std::abs(sigma * rng.normal()));
  return sizes;
}

TEST(Comparison, DescriptionOfNormalResidualsIsTheirEntropy) {
  Rng rng(1, 0);
  for (const double sigma : {1e-3, 0.1, 1.0}) {
    const double entropy = 0.5 * std::log(2 * 3.141592653589793 * std::exp(1.0)) + std::log(sigma);
    EXPECT_NEAR(robust::description_length(normal_sizes(sigma, 20000, rng), 100), entropy, 0.05);
  }
}

TEST(Comparison, OutliersCostWhatTheRangeAllows) {
  Rng rng(2, 0);
  std::vector<double> sizes = normal_sizes(0.01, 9000, rng);
  const double clean = robust::description_length(sizes, 10);
  for (int k = 0; k < 1000; ++k) sizes.push_back(rng.uniform(1, 10));
  EXPECT_NEAR(robust::description_length(sizes, 10), 0.9 * clean + 0.1 * std::log(20.0), 0.1);
}

TEST(Comparison, DescriptionKnowsNothingOfTheUnit) {
  Rng rng(3, 0);
  std::vector<double> sizes = normal_sizes(0.2, 1000, rng);
  const double here = robust::description_length(sizes, 5);
  for (double& size : sizes) size *= 1024;
  EXPECT_NEAR(robust::description_length(sizes, 5 * 1024), here + std::log(1024.0), 1e-9);
}

/// Spectra: narrow peaks over nothing, uncertain in proportion to their height.
CpModel peaks(std::uint64_t seed) {
  Rng rng(seed, 1);
  Matrix samples = Matrix::NullaryExpr(8, 3, [&] { return rng.uniform(0.2, 1); });
  std::vector<Matrix> factors{samples, Matrix(80, 3), Matrix(60, 3)};
  for (std::size_t m = 1; m < 3; ++m) {
    for (Index k = 0; k < 3; ++k) {
      const double middle = 15.0 + 20.0 * static_cast<double>(k) + rng.uniform(-5, 5);
      for (Index i = 0; i < factors[m].rows(); ++i) {
        const double x = (static_cast<double>(i) - middle) / 6;
        factors[m](i, k) = std::exp(-x * x / 2);
      }
    }
  }
  return {Vector::Constant(3, 500.0), factors};
}

TEST(Comparison, NoiseInProportionToTheSignalDoesNotLeadAstray) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const CpModel truth = peaks(seed);
    for (const double spikes : {0.0, 0.15}) {
      DenseTensor tensor = test::dense(truth);
      Rng rng(seed, 2);
      for (double& x : tensor.typed<double>()) {
        x += (0.02 * x + 0.1) * rng.normal();
        if (rng.bernoulli(spikes)) x += rng.uniform(-1500, 1500);
      }
      RunOptions run;
      run.rank = 3;
      const Decomposition found = robust_cp(tensor.view(), run, {});
      EXPECT_LT(found.low_rank.distance(truth) / truth.norm(), 0.03) << seed << ' ' << spikes;
      EXPECT_EQ(found.outcome, Outcome::converged);
      EXPECT_NE(found.certificate.level, Certified::exact);
    }
  }
}

}  // namespace
}  // namespace sunder
