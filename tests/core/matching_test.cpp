#include "sunder/core/matching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/random_input.hpp"

namespace sunder {
namespace {

double total(const Matrix& value, const std::vector<int>& column_of) {
  double sum = 0;
  for (std::size_t i = 0; i < column_of.size(); ++i) {
    if (column_of[i] >= 0) sum += value(static_cast<Index>(i), column_of[i]);
  }
  return sum;
}

/// The best total over all permutations of the longer side.
double brute_force(Matrix value) {
  if (value.rows() > value.cols()) value.transposeInPlace();
  std::vector<int> columns(value.cols());
  std::iota(columns.begin(), columns.end(), 0);
  double best = -std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (Index i = 0; i < value.rows(); ++i) sum += value(i, columns[i]);
    best = std::max(best, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

TEST(BestAssignment, AgreesWithBruteForce) {
  Rng random(1);
  for (Index rows = 1; rows <= 6; ++rows) {
    for (Index columns = 1; columns <= 6; ++columns) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        Matrix value = test::random_matrix(rows, columns, random);
        if (repeat == 0) value = value.array().round();  // with ties
        const std::vector<int> column_of = best_assignment(value);
        ASSERT_EQ(std::ssize(column_of), rows);
        EXPECT_NEAR(total(value, column_of), brute_force(value), 1e-12);
        std::vector<int> used(column_of);
        std::erase(used, -1);
        EXPECT_EQ(std::ssize(used), std::min(rows, columns));
        std::sort(used.begin(), used.end());
        EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
      }
    }
  }
}

TEST(BestAssignment, Empty) {
  EXPECT_TRUE(best_assignment(Matrix(0, 3)).empty());
  EXPECT_THAT(best_assignment(Matrix(2, 0)), testing::ElementsAre(-1, -1));
}

TEST(MatchComponents, FindsPermutedAndFlippedComponents) {
  Rng random(2);
  for (int order = 2; order <= 5; ++order) {
    const Shape shape(std::vector<Index>(order, 12));
    const CpModel model = test::random_model(shape, 4, random);
    const std::vector<Index> from{2, 0, 3, 1};
    std::vector<Matrix> factors;
    for (const Matrix& factor : model.factors()) {
      factors.push_back(-3 * factor(Eigen::all, from));
    }
    const CpModel other(Vector::Ones(4), factors);
    const ComponentMatch match = match_components(model, other);
    EXPECT_THAT(match.partner, testing::ElementsAre(1, 3, 0, 2));
    EXPECT_THAT(match.cosine, testing::Each(testing::DoubleNear(1, 1e-12)));
  }
}

TEST(MatchComponents, DifferentRanks) {
  Rng random(3);
  const CpModel model = test::random_model(Shape{20, 20, 20}, 5, random);
  const ComponentMatch more = match_components(model, model.leading(3));
  EXPECT_THAT(more.partner, testing::ElementsAre(0, 1, 2, -1, -1));
  EXPECT_EQ(more.cosine[4], 0);
  EXPECT_THAT(match_components(model.leading(3), model).partner, testing::ElementsAre(0, 1, 2));
  EXPECT_TRUE(match_components(CpModel::zero(model.shape()), model).partner.empty());
}

TEST(MatchComponents, EndsWhenAComponentIsNotANumber) {
  Rng random(4);
  const CpModel model = test::random_model(Shape{5, 5}, 2, random);
  std::vector<Matrix> factors = model.factors();
  factors[0].col(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  const ComponentMatch match = match_components(CpModel(model.weights(), factors), model);
  EXPECT_THAT(match.partner, testing::ElementsAre(0, 1));
  EXPECT_EQ(match.cosine[0], 0);
}

}  // namespace
}  // namespace sunder
