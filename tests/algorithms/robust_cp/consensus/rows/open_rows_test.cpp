#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

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
  EXPECT_EQ(open_rows(slices, 0), (std::vector<Index>{2, 3, 4}));
}

/// A rival agrees with the row on a hyperplane of columns, for nothing.
TEST(OpenRows, AHyperplaneOfColumnsAsksForMore) {
  const SliceStatistics slices = slices_of({100, 100, 100, 100}, {100, 78, 76, 53});
  EXPECT_EQ(open_rows(slices, 0.5), (std::vector<Index>{2, 3}));
  EXPECT_EQ(open_rows(slices, 1), (std::vector<Index>{1, 2, 3}));
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

/// Three rows of a mode: the first is wrong on most entries, in the second as many follow another
/// row, the third has errors.
TEST(OpenRows, SamplesOfALargeTensorTellTheBetterRow) {
  Rng rng(5);
  test::Recipe recipe(test::normal_components({12, 60, 60}, 2, rng));
  const Index slice = 3600;
  const auto entries = recipe.tensor.typed<double>();
  Factors other = recipe.truth;
  other[0](5, 1) += 1;
  const Entries L = evaluate(other);
  for (Index i = 0; i < slice; ++i) {
    if (i % 2 == 0) entries[5 * slice + i] = L[5 * slice + i];
    if (i % 5 == 0) entries[8 * slice + i] += 3;
  }
  Factors present = recipe.truth;
  present[0].row(2) *= 1.5;
  Engine engine(recipe.tensor.view(), 1);
  Monitor monitor;
  const RowChanges changes =
      SampledRows(engine, present, 0, 1, 1e-8, {}).look({2, 5, 8}, rng, monitor);
  EXPECT_EQ(changes.rows, std::vector<Index>{2});
  EXPECT_LT((changes.coefficients - recipe.truth[0].row(2)).norm(), 1e-10);
  EXPECT_EQ(changes.ties, 1);
}

}  // namespace
}  // namespace sunder::robust
