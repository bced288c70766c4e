#include "algorithms/robust_cp/extend/polish.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "planted_problem.hpp"

namespace sunder {
namespace {

using robust::Factors;

Factors model_of_two(const Shape& shape) {
  return test::model_of(test::random_model(shape, 2, 7).factors()).factors();
}

TEST(Polish, TakesAModelToTheLevelThatTheNoiseAllows) {
  const Shape shape{30, 30, 30};
  Factors truth = model_of_two(shape);
  for (Matrix& factor : truth) factor = factor.cwiseSign();
  DenseTensor tensor = test::dense(test::model_of(truth));
  constexpr double sigma = 1e-3;
  Rng rng(3);
  for (double& entry : tensor.typed<double>()) {
    entry += rng.uniform(0, 1) < 0.2 ? 5.0 : sigma * rng.normal();
  }
  Factors near = truth;
  const auto slightly = [&] { return 2e-3 * rng.normal(); };
  for (Matrix& factor : near) factor += Matrix::NullaryExpr(factor.rows(), 2, slightly);
  Engine engine(tensor.view(), 1);
  robust::Monitor monitor;
  const double before = robust::distance(near, truth);
  for (int k = 0; k < 2; ++k) {
    const double spread = robust::sample_residuals(engine, near, 1).sigma();
    near = robust::polished(engine, near, {.sigma = spread}, monitor);
  }
  EXPECT_EQ(engine.passes(), 2);
  // Least squares with 180 unknowns: sigma * sqrt(180 / .8) in the norm.
  EXPECT_LT(robust::distance(near, truth), 1.3 * sigma * std::sqrt(180 / 0.8));
  EXPECT_GT(before, 3 * robust::distance(near, truth));
}

}  // namespace
}  // namespace sunder
