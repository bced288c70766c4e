#include "algorithms/robust_cp/consensus/rows/sampled_rows.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"

namespace sunder::robust {
namespace {

/// Three rows of a mode: the first is wrong on most entries, in the second as many follow another
/// row, the third has errors.
TEST(SampledRows, SamplesOfALargeTensorTellTheBetterRow) {
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
      SampledRows(engine, present, 0, 1, 1e-8, {}).look({2, 5, 8}, 0.5, rng, monitor);
  EXPECT_EQ(changes.rows, std::vector<Index>{2});
  EXPECT_LT((changes.coefficients - recipe.truth[0].row(2)).norm(), 1e-10);
  EXPECT_EQ(changes.ties, 1);
}

}  // namespace
}  // namespace sunder::robust
