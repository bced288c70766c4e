#include "algorithms/robust_cp/noise/rivals/another_component.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../noisy_example.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;
using test::relative_error;

TEST(AnotherComponent, TakesTheComponentThatIsMissing) {
  const NoisyExample example = noisy_example({25, 24, 23}, 3, 0.05, 0.1, 31);
  Rng rng(1);
  Factors wrong = example.truth;
  for (Matrix& factor : wrong) {
    for (double& x : factor.col(2)) x = 0.5 * rng.normal();
  }
  Monitor monitor;
  const NoisyFit fit =
      refine(example.core, wrong, first_noise(example.core, wrong, true), {.steps = 0}, monitor);
  double least = 1;
  for (const NoisyFit& other : fits_with_another_component(example.core, fit, rng, monitor)) {
    EXPECT_EQ(other.factors.front().cols(), 3);
    if (other.nats < fit.nats)
      least = std::min(least, relative_error(other.factors, example.truth));
  }
  EXPECT_LT(least, 0.02);
}

TEST(AnotherComponent, ReturnsToAFitThatLacksNothing) {
  const NoisyExample example = noisy_example({25, 24, 23}, 3, 0.05, 0.1, 32);
  Rng rng(2);
  Monitor monitor;
  const NoisyFit fit = refine(example.core, example.truth,
                              first_noise(example.core, example.truth, false), {}, monitor);
  for (const NoisyFit& other : fits_with_another_component(example.core, fit, rng, monitor)) {
    EXPECT_LT(distance(other.factors, fit.factors), 0.02 * norm(fit.factors));
  }
}

}  // namespace
}  // namespace sunder::robust
