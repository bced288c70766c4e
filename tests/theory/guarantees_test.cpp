#include "sunder/theory/guarantees.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

class GuaranteesOf : public ::testing::Test {
 protected:
  GuaranteesOf() {
    PlantedOptions options = test::small_problem(4);
    options.weights = WeightKind::decaying;
    PlantedTensor planted = generate_planted(options);
    truth = std::move(planted.low_rank);
    sparse = std::move(planted.sparse);
  }
  Guarantees check(const CpModel& low_rank, const SparseTensor& found) const {
    return check_guarantees(low_rank, found, truth, sparse, 1e-6);
  }
  /// S* with one value changed, at entry k.
  SparseTensor changed(std::size_t k, double by) const {
    std::vector<double> values(sparse.values().begin(), sparse.values().end());
    values[k] += by;
    return {
        sparse.shape(), {sparse.positions().begin(), sparse.positions().end()}, std::move(values)};
  }

  CpModel truth;
  SparseTensor sparse;
};

TEST_F(GuaranteesOf, TheTruthItself) {
  const Guarantees same = check(truth, sparse);
  EXPECT_TRUE(same.all_hold());
  EXPECT_LT(same.vectors.measured, 1e-15);
  EXPECT_LT(same.low_rank.measured, 1e-14);
  EXPECT_EQ(same.sparse.measured, 0);
  const double mu = measure_incoherence(truth).mu;
  const double n = std::cbrt(30.0 * 25 * 20);
  EXPECT_NEAR(same.vectors.allowed, 1e-6 / (mu * mu * 3 * std::sqrt(n) * 0.2), 1e-18);
  EXPECT_EQ(same.weights.allowed, 1e-6);
  EXPECT_EQ(same.low_rank.allowed, 1e-6);
  EXPECT_NEAR(same.sparse.allowed, 1e-6 / std::sqrt(30.0 * 25 * 20), 1e-18);
}

/// Components have no order, no scale and, in pairs of modes, no sign.
TEST_F(GuaranteesOf, TheTruthWrittenDifferently) {
  std::vector<Matrix> factors;
  const std::vector<Index> order = {2, 0, 1};
  for (const Matrix& factor : truth.factors()) factors.emplace_back(factor(Eigen::all, order));
  factors[0].col(1) *= -3;
  factors[2].col(1) *= -2;
  Vector weights = truth.weights()(order);
  weights[1] /= 6;
  const Guarantees same = check(CpModel(weights, factors), sparse);
  EXPECT_TRUE(same.all_hold()) << same.vectors.measured;
  EXPECT_LT(same.vectors.measured, 1e-14);
}

TEST_F(GuaranteesOf, AColumn) {
  std::vector<Matrix> factors = truth.factors();
  factors[1](4, 0) += 1e-3;
  const Guarantees moved = check(CpModel(truth.weights(), factors), sparse);
  EXPECT_NEAR(moved.vectors.measured, 1e-3, 2e-4);
  EXPECT_FALSE(moved.vectors.holds());
  EXPECT_NEAR(moved.low_rank.measured, 1e-3, 1e-4);
  EXPECT_TRUE(moved.sparse.holds());
  EXPECT_FALSE(moved.all_hold());
}

TEST_F(GuaranteesOf, AWeight) {
  Vector weights = truth.weights();
  weights[1] += 1e-5;
  const Guarantees moved = check(CpModel(weights, truth.factors()), sparse);
  EXPECT_TRUE(moved.vectors.holds());
  EXPECT_NEAR(moved.weights.measured, 1e-5, 1e-12);
  EXPECT_NEAR(moved.low_rank.measured, 1e-5, 1e-12);
  EXPECT_FALSE(moved.all_hold());
  weights[1] = -truth.weights()[1];
  EXPECT_NEAR(check(CpModel(weights, truth.factors()), sparse).weights.measured,
              2 * truth.weights()[1], 1e-12)
      << "a component of the opposite sign is another component";
}

TEST_F(GuaranteesOf, AnotherRank) {
  EXPECT_NEAR(check(truth.leading(2), sparse).weights.measured, truth.weights()[2], 1e-12);
  EXPECT_FALSE(check(truth.leading(2), sparse).all_hold());
  std::vector<Matrix> factors;
  for (const Matrix& factor : truth.factors()) {
    Matrix wider = Matrix::Zero(factor.rows(), 4);
    wider.leftCols(3) = factor;
    wider(0, 3) = 1;
    factors.push_back(wider);
  }
  Vector weights(4);
  weights << truth.weights(), 0.01;
  const Guarantees more = check(CpModel(weights, factors), sparse);
  EXPECT_NEAR(more.weights.measured, 0.01, 1e-12);
  EXPECT_NEAR(more.low_rank.measured, 0.01, 1e-12);
  EXPECT_FALSE(check(CpModel::zero(truth.shape()), sparse).all_hold());
}

TEST_F(GuaranteesOf, TheSparsePart) {
  EXPECT_NEAR(check(truth, changed(5, 1e-3)).sparse.measured, 1e-3, 1e-12);
  EXPECT_FALSE(check(truth, changed(5, 1e-3)).all_hold());
  EXPECT_TRUE(check(truth, changed(5, 1e-9)).all_hold());

  // One entry that is not in S*, however small, and one of S* that was not found.
  std::vector<Index> positions(sparse.positions().begin(), sparse.positions().end());
  std::vector<double> values(sparse.values().begin(), sparse.values().end());
  Index free = 0;
  while (std::ranges::find(positions, free) != positions.end()) ++free;
  positions.push_back(free);
  values.push_back(1e-12);
  const Guarantees outside = check(truth, SparseTensor(truth.shape(), positions, values));
  EXPECT_EQ(outside.outside_support, 1);
  EXPECT_TRUE(outside.sparse.holds());
  EXPECT_FALSE(outside.all_hold());
  const Guarantees nothing = check(truth, SparseTensor(truth.shape()));
  EXPECT_EQ(nothing.outside_support, 0);
  EXPECT_GT(nothing.sparse.measured, 1e-3);
}

TEST_F(GuaranteesOf, WhatCannotBeCompared) {
  EXPECT_THROW(check(CpModel::zero({30, 25, 21}), sparse), InputError);
  EXPECT_THROW(check(truth, SparseTensor({30, 25, 21})), InputError);
  EXPECT_THROW(check_guarantees(truth, sparse, truth, sparse, 0), OptionError);
}

}  // namespace
}  // namespace sunder
