#include "algorithms/robust_cp/rows/row_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

TEST(RowProblem, IsPaddedWithZerosToWholeVectors) {
  const RowProblem problem(3, 13, 2);
  EXPECT_EQ(problem.values.cols(), 16);
  EXPECT_EQ(problem.design.rows(), 16);
  EXPECT_EQ(problem.columns, 13);
  EXPECT_EQ(problem.values.norm(), 0);
}

TEST(RowProblem, ANumberThatIsNoneIsMissing) {
  RowProblem problem(2, 5, 1);
  problem.set(0, 1, 3);
  EXPECT_TRUE(problem.complete());
  problem.set(1, 2, std::nan(""));
  EXPECT_FALSE(problem.complete());
  EXPECT_EQ(problem.observed.sum(), 9) << "padding is not observed";
  EXPECT_EQ(problem.observed(1, 2), 0);
  EXPECT_EQ(problem.values(1, 2), 0);
}

/// The truth's rows explain those of the core, at all columns or at some.
TEST(RowProblem, OfACoreHasItsFactorsAsSolution) {
  const auto planted = test::planted_core({6, 7, 8}, 2, {.density = 0, .missing = 0.2}, 1);
  Rng rng(2);
  for (int mode = 0; mode < 3; ++mode) {
    const Index others = planted.core.shape.entries() / planted.core.shape[mode];
    for (const std::vector<Index>& columns :
         {std::vector<Index>{}, draw_columns(others, 11, rng)}) {
      const RowProblem problem = row_problem(planted.core, planted.truth, mode, columns);
      EXPECT_EQ(problem.columns, columns.empty() ? others : 11);
      const Matrix& rows = planted.truth[mode];
      const Matrix left = problem.values - Matrix(rows * problem.design.transpose());
      EXPECT_LT(left.cwiseProduct(Matrix(problem.observed)).norm(), 1e-12);
    }
  }
}

TEST(RowProblem, ColumnsAreDistinctInOrderAndSpreadOverAll) {
  Rng rng(3);
  const std::vector<Index> columns = draw_columns(1000, 10, rng);
  ASSERT_EQ(columns.size(), 10U);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(columns[k] / 100, static_cast<Index>(k));
  EXPECT_TRUE(draw_columns(10, 10, rng).empty()) << "all of them";
}

TEST(RowProblem, ARefitSeesFarMoreColumnsThanUnknowns) {
  EXPECT_EQ(columns_in_refit(1), 400);
  EXPECT_EQ(columns_in_refit(25), 1500);
}

}  // namespace
}  // namespace sunder::robust
