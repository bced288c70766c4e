#include "algorithms/robust_cp/certificate/rounding.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"

namespace sunder::robust {
namespace {

constexpr double rounding_test_level = 1e-6;

struct RoundingExample {
  Factors factors = test::model_of(test::random_model({12, 15, 18}, 2, 5).factors()).factors();
  DenseTensor tensor = test::dense(test::model_of(factors));

  bool fits() {
    Engine engine(tensor.view(), 1);
    Rng rng(1);
    return fits_to_rounding(engine, factors, rounding_test_level, rng);
  }
};

TEST(Rounding, TheTensorOfAModelIsFittedToRounding) { EXPECT_TRUE(RoundingExample().fits()); }

/// As entries of S are whose value is by accident that of L, or nearly so.
TEST(Rounding, AFewLargerResidualsSayNothing) {
  RoundingExample example;
  const auto entries = example.tensor.typed<double>();
  for (std::size_t i = 0; i < entries.size(); i += 200) entries[i] += 0.5 * rounding_test_level;
  EXPECT_TRUE(example.fits());
}

TEST(Rounding, EntriesOfSAreNotAskedFor) {
  RoundingExample example;
  const auto entries = example.tensor.typed<double>();
  for (std::size_t i = 0; i < entries.size(); i += 2) entries[i] += 1;
  EXPECT_TRUE(example.fits());
}

TEST(Rounding, NoiseIsNotRounding) {
  RoundingExample example;
  Rng rng(3);
  for (double& x : example.tensor.typed<double>()) x += 1e-11 * rng.normal();
  EXPECT_FALSE(example.fits());
}

/// Numbers stored with seven digits leave as much.
TEST(Rounding, SinglePrecisionLeavesMore) {
  EXPECT_GT(rounding_share(ScalarType::f32), 1e4 * rounding_share(ScalarType::f64));
  EXPECT_EQ(rounding_share(ScalarType::u8), rounding_share(ScalarType::f64));
}

}  // namespace
}  // namespace sunder::robust
