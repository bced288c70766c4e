#include "algorithms/robust_cp/inference/null_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/inference/planted_residuals.hpp"

namespace sunder::robust {
namespace {

NullDistribution fitted(const test::PlantedResiduals& options, std::uint64_t seed) {
  const test::Residuals planted = test::planted_residuals(options, seed);
  const auto null = fit_null(standard_residuals(planted.counts, planted.noise));
  EXPECT_TRUE(null);
  return null.value_or(NullDistribution{});
}

TEST(NullDistribution, NormalNoiseBesideErrorsOfOneSignIsNormal) {
  const NullDistribution null = fitted({.share = 0.3, .least = 2, .most = 5}, 31011);
  EXPECT_NEAR(null.scale, 1, 0.03);
  EXPECT_GT(null.degrees, 15);
  EXPECT_NEAR(null.share, 0.7, 0.02);
}

TEST(NullDistribution, HeavyTailsAreFoundBesideErrors) {
  for (const bool both_signs : {false, true}) {
    const NullDistribution null =
        fitted({.degrees = 5, .least = 9, .most = 17, .both_signs = both_signs}, 31012);
    EXPECT_NEAR(null.degrees, 5, 1.5) << both_signs;
    EXPECT_NEAR(null.scale, std::sqrt(0.6), 0.03) << both_signs;
  }
}

TEST(NullDistribution, ErrorsOnBothSidesAreNoTails) {
  const NullDistribution null = fitted({.share = 0.2, .both_signs = true}, 31013);
  EXPECT_GT(null.degrees, 10);
  EXPECT_NEAR(null.scale, 1, 0.06);
}

TEST(NullDistribution, FewEntriesHaveNone) {
  const test::Residuals planted = test::planted_residuals({.entries = 300}, 31014);
  EXPECT_FALSE(fit_null(standard_residuals(planted.counts, planted.noise)));
}

TEST(NullDistribution, TheTailIsTheIntegralOfTheDensity) {
  for (const double degrees : {3.0, std::numeric_limits<double>::infinity()}) {
    const NullDistribution null{.scale = 1.3, .degrees = degrees};
    double sum = 0;
    const double from = std::isfinite(degrees) ? 30 : 5;
    for (double z = from; z < 30000; z *= 1.001) sum += null.density(z * 1.0005) * 0.001 * z;
    EXPECT_NEAR(null.tail(from) / sum, 1, 0.02);
  }
}

}  // namespace
}  // namespace sunder::robust
