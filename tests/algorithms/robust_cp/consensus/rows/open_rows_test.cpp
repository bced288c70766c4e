#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"

#include <gtest/gtest.h>

namespace sunder::robust {
namespace {

SliceStatistics slices_of(const std::vector<Index>& observed, const std::vector<Index>& fitted) {
  SliceStatistics slices(std::ssize(observed), SliceDetail::counts);
  slices.observed = observed;
  slices.fitted = fitted;
  return slices;
}

TEST(OpenRows, ARowThatFitsMoreThanHalfIsSafe) {
  const SliceStatistics slices = slices_of({100, 100, 100, 100, 50}, {100, 53, 51, 10, 26});
  EXPECT_EQ(open_rows(slices, 1, 0), (std::vector<Index>{2, 3, 4}));
}

/// A rival agrees with the row on a hyperplane of columns, for nothing.
TEST(OpenRows, AHyperplaneOfColumnsAsksForMore) {
  const SliceStatistics slices = slices_of({100, 100, 100, 100}, {100, 78, 76, 53});
  EXPECT_EQ(open_rows(slices, 1, 0.5), (std::vector<Index>{2, 3}));
  EXPECT_EQ(open_rows(slices, 1, 1), (std::vector<Index>{1, 2, 3}));
}

TEST(OpenRows, RowsThatHoldMoreOfSStandOut) {
  std::vector<Index> observed(40, 1000);
  std::vector<Index> fitted(40, 900);
  for (Index i = 0; i < 40; ++i) fitted[i] += i % 7 - 3;
  EXPECT_EQ(rows_by_sparse(slices_of(observed, fitted)).standing_out, 0);
  fitted[7] = 700;
  fitted[23] = 800;
  observed[11] = 100;
  fitted[11] = 60;  // few entries are known, and 40% of them are in S
  const RowsOfSparse rows = rows_by_sparse(slices_of(observed, fitted));
  EXPECT_EQ(rows.standing_out, 3);
  ASSERT_EQ(rows.order.size(), 40U);
  EXPECT_EQ((std::vector<Index>{rows.order[0], rows.order[1], rows.order[2]}),
            (std::vector<Index>{11, 7, 23}));
}

TEST(OpenRows, ThePoorestRowFitsTheLeast) {
  const SliceStatistics slices = slices_of({100, 100, 50, 0}, {100, 40, 25, 0});
  EXPECT_EQ(least_fitted_share(slices, {0, 2}), 0.5);
  EXPECT_EQ(least_fitted_share(slices, {0, 1, 2}), 0.4);
}

}  // namespace
}  // namespace sunder::robust
