#include "algorithms/robust_cp/inference/error_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/inference/planted_residuals.hpp"

namespace sunder::robust {
namespace {

struct Found {
  double false_share = 0;  ///< of the entries that are called errors
  double power = 0;        ///< of the errors, the share that is found
  double called = 0;
};

Found found(const test::PlantedResiduals& options, std::uint64_t seed, double level = 0.05) {
  const test::Residuals planted = test::planted_residuals(options, seed);
  const StandardResiduals residuals = standard_residuals(planted.counts, planted.noise);
  const ErrorRates rates(residuals, *fit_null(residuals), level);
  double right = 0, errors = 0;
  Found found;
  for (std::size_t i = 0; i < planted.z.size(); ++i) {
    errors += planted.is_error[i] ? 1 : 0;
    if (!rates.is_error(planted.z[i])) continue;
    EXPECT_LE(rates.q(planted.z[i]), level * 1.01);
    found.called += 1;
    right += planted.is_error[i] ? 1 : 0;
  }
  found.false_share = found.called > 0 ? 1 - right / found.called : 0;
  found.power = right / std::max(errors, 1.0);
  return found;
}

TEST(ErrorRates, FewCallsAreFalseWhateverTheTailsOfTheNoiseAre) {
  double mean = 0;
  for (const double degrees : {0.0, 3.0, 5.0}) {
    for (const std::uint64_t seed : {31021, 31022, 31023}) {
      mean += found({.degrees = degrees, .share = 0.2}, seed).false_share / 9;
      const Found clear = found({.degrees = degrees, .least = 9, .most = 17}, seed);
      EXPECT_LT(clear.false_share, 0.05) << degrees;
      EXPECT_GT(clear.power, 0.99) << degrees;
    }
  }
  EXPECT_LT(mean, 0.05);
}

TEST(ErrorRates, ErrorsThatOverlapWithNoiseAreMostlyFound) {
  EXPECT_GT(found({.share = 0.2}, 31024).power, 0.85);
}

TEST(ErrorRates, WithoutErrorsHardlyAnythingIsCalledOne) {
  int runs = 0;
  for (std::uint64_t seed = 31030; seed < 31040; ++seed) {
    runs += found({.share = 0}, seed).called > 0 ? 1 : 0;
  }
  EXPECT_LE(runs, 2);  // 0.5 to expect
}

TEST(ErrorRates, AHigherLevelFindsMore) {
  EXPECT_GT(found({.share = 0.2, .least = 2, .most = 4}, 31025, 0.2).called,
            found({.share = 0.2, .least = 2, .most = 4}, 31025, 0.02).called);
}

TEST(ErrorRates, FarFromZeroRatesFallToZero) {
  const test::Residuals planted = test::planted_residuals({}, 31026);
  const StandardResiduals residuals = standard_residuals(planted.counts, planted.noise);
  const ErrorRates rates(residuals, *fit_null(residuals), 0.05);
  EXPECT_GT(rates.local(0), 0.99);
  double before = 1;
  for (double z = 0.1; z < 1000; z *= 1.3) {
    EXPECT_LE(rates.local(z), before);
    EXPECT_GE(rates.q(z), 0);
    before = rates.local(z);
  }
  EXPECT_LT(before, 1e-9);
}

}  // namespace
}  // namespace sunder::robust
