#include "algorithms/robust_cp/noise/telling_entries.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "noisy_example.hpp"

namespace sunder::robust {
namespace {

TEST(TellingEntries, AllCountWhereAllAreAlike) {
  const Factors constant{Matrix::Ones(20, 1), Matrix::Ones(10, 1), Matrix::Ones(30, 1)};
  EXPECT_NEAR(telling_entries(constant), 200, 1e-9);
}

TEST(TellingEntries, OrthogonalComponentsShareThem) {
  Factors factors;
  for (int m = 0; m < 3; ++m) {
    factors.push_back(Matrix::Zero(20, 2));
    factors.back().block(0, 0, 10, 1).setOnes();
    factors.back().block(10, 1, 10, 1).setConstant(100);
  }
  EXPECT_NEAR(telling_entries(factors), 100, 1e-9);
}

TEST(TellingEntries, FewAreLeftWhereFewRowsAreFarLarger) {
  Rng rng(1);
  Factors factors = test::normal_factors({60, 60, 60}, 3, rng);
  EXPECT_GT(telling_entries(factors), 200);
  for (Matrix& factor : factors) factor.topRows(3) *= 100;
  EXPECT_LT(telling_entries(factors), 5);
}

TEST(TellingEntries, ComponentsOfZeroDoNotCount) {
  Factors factors(3, Matrix::Ones(10, 2));
  for (Matrix& factor : factors) factor.col(1).setZero();
  EXPECT_NEAR(telling_entries(factors), 100, 1e-9);
  for (Matrix& factor : factors) factor.setZero();
  EXPECT_TRUE(std::isinf(telling_entries(factors)));
}

}  // namespace
}  // namespace sunder::robust
