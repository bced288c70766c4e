#include "algorithms/robust_cp/inference/component_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/robust_cp/noise/noisy_example.hpp"

namespace sunder::robust {
namespace {

const Shape shape{12, 10, 8};

Factors factors_of(Index rank, std::uint64_t seed) {
  Rng rng(seed);
  return test::normal_factors(shape, rank, rng);
}

TEST(CoreConsistency, OfAModelWithItsOwnDataIsFull) {
  for (const Index rank : {1, 3, 5}) {
    const Factors factors = factors_of(rank, 31101);
    EXPECT_NEAR(core_consistency(shape, evaluate(factors), factors, 0), 100, 1e-6) << rank;
  }
}

TEST(CoreConsistency, WhatNoiseTakesOffIsGivenBack) {
  const Factors factors = factors_of(3, 31102);
  Rng rng(31103);
  double plain = 0;
  double corrected = 0;
  for (int k = 0; k < 20; ++k) {
    Entries noisy = evaluate(factors);
    for (double& x : noisy) x += 0.4 * rng.normal();
    plain += core_consistency(shape, noisy, factors, 0) / 20;
    corrected += core_consistency(shape, noisy, factors, 0.16) / 20;
  }
  EXPECT_LT(plain, corrected);
  EXPECT_NEAR(corrected, 100, 1);
}

TEST(CoreConsistency, FallsWhereComponentsMix) {
  // A Tucker model: component k of one mode goes with all components of the others.
  const Factors factors = factors_of(2, 31104);
  Factors mixed = factors;
  mixed[2].col(0).swap(mixed[2].col(1));
  const Entries data = evaluate(factors) + evaluate(mixed);
  EXPECT_LT(core_consistency(shape, data, factors, 0), 50);
}

TEST(CoreConsistency, IsNotDefinedForMatricesAndForMoreComponentsThanRows) {
  const Factors many = factors_of(9, 31105);
  EXPECT_TRUE(std::isnan(core_consistency(shape, evaluate(many), many, 0)));
  const Factors matrix{Matrix::Random(6, 2), Matrix::Random(5, 2)};
  EXPECT_TRUE(std::isnan(core_consistency(Shape{6, 5}, evaluate(matrix), matrix, 0)));
}

TEST(Boxes, ABlockIsABoxAndANormalColumnIsNone) {
  Factors factors = factors_of(2, 31106);
  for (Matrix& factor : factors) {
    factor.col(1).setZero();
    factor.col(1).head(4).setConstant(-2);
  }
  const Eigen::ArrayXd found = boxes(factors);
  EXPECT_LT(found[0], 0.75);
  EXPECT_NEAR(found[1], 1, 1e-12);
}

TEST(Boxes, AnOffsetIsNone) {
  Factors factors = factors_of(2, 31108);
  for (Matrix& factor : factors) factor.col(1).setConstant(3);
  EXPECT_EQ(boxes(factors)[1], 0);
  factors[2].col(1).head(4).setZero();
  EXPECT_NEAR(boxes(factors)[1], 1, 1e-12);
}

TEST(LeastMatch, DoesNotHeedTheOrderOfComponents) {
  const Factors factors = factors_of(3, 31107);
  Factors other = factors;
  for (Matrix& factor : other) factor.col(0).swap(factor.col(2));
  EXPECT_NEAR(least_match(factors, other), 1, 1e-12);
  other[1].col(1).setRandom();
  EXPECT_LT(least_match(factors, other), 0.95);
}

}  // namespace
}  // namespace sunder::robust
