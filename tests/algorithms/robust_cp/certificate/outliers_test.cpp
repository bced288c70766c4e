#include "algorithms/robust_cp/certificate/outliers.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::robust {
namespace {

constexpr double level = 1e-9;
constexpr double ratio_rounding = 1e-7;

Factors component_on(const Shape& shape, const std::vector<Index>& rows, Rng& rng) {
  Factors factors;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    factors.push_back(Matrix::Zero(shape[static_cast<int>(m)], 1));
    for (Index i = 0; i < rows[m]; ++i) factors.back()(i, 0) = rng.normal();
  }
  return factors;
}

/// A component, a further one, and errors here and there.
struct Example {
  Rng rng;
  Shape shape{6, 14, 12};
  Factors model = component_on(shape, {6, 14, 12}, rng);
  Factors further = component_on(shape, {1, 9, 8}, rng);
  DenseCore core;

  explicit Example(double share_of_errors, std::uint64_t seed = 3) : rng(seed) {
    core.shape = shape;
    core.values = evaluate(model);
    for (double& x : core.values) {
      if (rng.bernoulli(share_of_errors)) x += 1 + rng.normal();
    }
  }
  DenseCore outliers() const { return outliers_of(core, model, level); }
};

TEST(Outliers, AreWhatTheModelDoesNotFit) {
  const Example example(0.2);
  const DenseCore outliers = example.outliers();
  const Entries R = residual(example.core, example.model);
  for (Index i = 0; i < R.size(); ++i) {
    EXPECT_EQ(outliers.is_observed(i), std::abs(R[i]) >= level);
    EXPECT_EQ(outliers.values[i], outliers.is_observed(i) ? R[i] : 0);
  }
}

TEST(Outliers, OfErrorsAloneHaveNothingInCommon) {
  Example example(0.3);
  EXPECT_FALSE(has_proportional_rows(example.outliers(), ratio_rounding));
  EXPECT_EQ(evidence_needed(example.outliers(), level), 1);
}

TEST(Outliers, ShowAComponentThatIsConfinedToOneSlice) {
  Example example(0.05);
  example.core.values += evaluate(example.further);
  EXPECT_TRUE(has_proportional_rows(example.outliers(), ratio_rounding));
}

SparseTensor listed(const DenseCore& outliers) {
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index i = 0; i < outliers.values.size(); ++i) {
    if (!outliers.is_observed(i)) continue;
    positions.push_back(i);
    values.push_back(outliers.values[i]);
  }
  return {outliers.shape, std::move(positions), std::move(values)};
}

TEST(Outliers, ShowTheSameInAList) {
  Example example(0.05);
  EXPECT_EQ(has_proportional_rows(listed(example.outliers()), ratio_rounding), false);
  example.core.values += evaluate(component_on(example.shape, {2, 3, 3}, example.rng));
  EXPECT_EQ(has_proportional_rows(listed(example.outliers()), ratio_rounding), true);
}

/// The smaller the component, the fewer errors may hide it.
TEST(Outliers, ShowAComponentOfAFewEntriesWhereErrorsAreFew) {
  int shown = 0;
  int imagined = 0;
  constexpr int seeds = 100;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Example example(0.01, seed);
    imagined += has_proportional_rows(example.outliers(), ratio_rounding) ? 1 : 0;
    example.core.values += evaluate(component_on(example.shape, {1, 3, 2}, example.rng));
    shown += has_proportional_rows(example.outliers(), ratio_rounding) ? 1 : 0;
  }
  EXPECT_EQ(shown, seeds);
  EXPECT_EQ(imagined, 0);
}

TEST(Outliers, AreNotJudgedByAPartOfThem) {
  const Shape shape{3000, 2};
  std::vector<Index> positions;
  std::vector<double> values;
  Rng rng(1);
  for (Index p = 0; p < shape.entries(); ++p) {
    positions.push_back(p);
    values.push_back(1 + rng.uniform());
  }
  const SparseTensor many(shape, std::move(positions), std::move(values));
  EXPECT_EQ(has_proportional_rows(many, 1e-12), std::nullopt);
}

TEST(Outliers, GiveTheComponentThatFitsThem) {
  Example example(0.02);
  const Factors further = component_on(example.shape, {5, 9, 8}, example.rng);
  example.core.values += evaluate(further);
  Monitor monitor;
  const Factors found = component_of_outliers(example.outliers(), level, example.rng, monitor);
  EXPECT_LT(distance(found, further), 1e-6 * norm(further));
}

TEST(Outliers, OfWholeNumbersCoincide) {
  Example example(0);
  for (double& x : example.core.values) {
    if (example.rng.bernoulli(0.3)) x += 1 + static_cast<double>(example.rng.below(3));
  }
  EXPECT_EQ(evidence_needed(example.outliers(), level), 3);
}

TEST(Outliers, OfCopiedSlicesHaveTwins) {
  Example example(0.3);
  const Index half = example.core.values.size() / 2;
  example.core.values.tail(half) = example.core.values.head(half).eval();
  example.model[0].bottomRows(3) = example.model[0].topRows(3).eval();
  EXPECT_EQ(evidence_needed(example.outliers(), level), 2);
}

}  // namespace
}  // namespace sunder::robust
