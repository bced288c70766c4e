#include "algorithms/robust_cp/core/residual_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"

namespace sunder {
namespace {

using robust::Factors;

Factors factors_of_two(const Shape& shape) {
  return test::model_of(test::random_model(shape, 2, 7).factors()).factors();
}

TEST(ResidualSample, IsTheSameForEveryModelAndMeasuresTheNoise) {
  const Factors factors = factors_of_two({30, 30, 30});
  DenseTensor tensor = test::dense(test::model_of(factors));
  constexpr double sigma = 0.01;
  Rng rng(3);
  for (double& entry : tensor.typed<double>()) {
    const double noise = sigma * rng.normal();
    entry += rng.uniform(0, 1) < 0.2 ? 5.0 : noise;
  }
  Engine engine(tensor.view(), 1);
  const robust::ResidualSample sample = robust::sample_residuals(engine, factors, 11);
  EXPECT_NEAR(sample.sigma(), sigma, 0.1 * sigma);
  EXPECT_TRUE(sample.magnitudes == robust::sample_residuals(engine, factors, 11).magnitudes);
  EXPECT_EQ(engine.passes(), 0);
}

}  // namespace
}  // namespace sunder
