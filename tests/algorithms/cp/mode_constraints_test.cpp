#include "algorithms/cp/mode_constraints.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using Factors = std::vector<Matrix>;

TEST(ModeConstraints, SharingKeepsASymmetricModel) {
  for (const int order : {3, 4}) {
    const Matrix shared = test::random_model(Shape{9, 9}, 2, 4).factor(0);
    Factors factors(static_cast<std::size_t>(order), shared);
    factors[1].col(0) *= -1;
    factors[2].col(1) *= -1;
    const CpModel before = test::model_of(factors);
    ModeList every;
    for (int m = 0; m < order; ++m) every.push_back(m);
    ModeConstraints({{every}, {}}, before.shape()).impose(factors);
    EXPECT_LT(test::model_of(factors).distance(before), 1e-12 * before.norm());
    for (std::size_t m = 2; m < factors.size(); ++m) EXPECT_EQ(factors[m], factors[1]);
  }
}

TEST(ModeConstraints, AModeThatSharesNothingTakesTheSignOfAPair) {
  const CpModel random = test::random_model(Shape{6, 7, 6}, 3, 2);
  Factors factors = {random.factor(0), random.factor(1), -random.factor(0)};
  const CpModel before = test::model_of(factors);
  ModeConstraints({{{2, 0}}, {}}, before.shape()).impose(factors);
  EXPECT_EQ(factors[0], factors[2]);
  EXPECT_LT(test::model_of(factors).distance(before), 1e-12 * before.norm());
}

TEST(ModeConstraints, NonnegativeModesKeepWhatIsNotNegativeUpToSigns) {
  const CpModel random = test::random_model(Shape{6, 7, 8}, 3, 3);
  Factors factors = {random.factor(0), -random.factor(1).cwiseAbs(), random.factor(2).cwiseAbs()};
  const CpModel before = test::model_of(factors);
  ModeConstraints({{}, {1, 2}}, before.shape()).impose(factors);
  EXPECT_GE(factors[1].minCoeff(), 0);
  EXPECT_GE(factors[2].minCoeff(), 0);
  EXPECT_LT(test::model_of(factors).distance(before), 1e-12 * before.norm());
}

TEST(ModeConstraints, ASignThatNoModeCanTakeLeavesNothing) {
  // -u u w with w >= 0 is as far from any u u w with w >= 0 as from zero.
  const CpModel random = test::random_model(Shape{6, 6, 5}, 2, 5);
  Factors factors = {random.factor(0), random.factor(0), random.factor(2).cwiseAbs()};
  factors[1].col(0) *= -1;
  const CpModel before = test::model_of(factors);
  ModeConstraints({{{0, 1}}, {2}}, before.shape()).impose(factors);
  EXPECT_EQ(factors[0].col(0).norm(), 0);
  EXPECT_EQ(factors[0].col(1), before.factor(0).col(1));
  EXPECT_EQ(factors[1], factors[0]);
}

TEST(ModeConstraints, EntriesAtZeroMoveOnlyUpwards) {
  Factors factors = {Matrix::Ones(2, 1), (Matrix(3, 1) << 0, 0, 2).finished()};
  const Factors gradient = {-Matrix::Ones(2, 1), (Matrix(3, 1) << -1, 1, -1).finished()};
  const Factors free = ModeConstraints({{}, {1}}, Shape{2, 3}).free_entries(factors, gradient);
  EXPECT_EQ(free[0], Matrix::Ones(2, 1));
  EXPECT_EQ(free[1], (Matrix(3, 1) << 0, 1, 1).finished());
}

TEST(ModeConstraints, RefusesModesThatCannotBe) {
  const Shape shape{4, 4, 5};
  EXPECT_THROW(ModeConstraints({{{0, 2}}, {}}, shape), InputError);
  EXPECT_THROW(ModeConstraints({{{0, 3}}, {}}, shape), OptionError);
  EXPECT_THROW(ModeConstraints({{{0, 0}}, {}}, shape), OptionError);
  EXPECT_THROW(ModeConstraints({{{0}}, {}}, shape), OptionError);
  EXPECT_THROW(ModeConstraints({{}, {-1}}, shape), OptionError);
  EXPECT_FALSE(ModeConstraints({}, shape).any());
}

}  // namespace
}  // namespace sunder
