#include "algorithms/robust_cp/core/exact/surplus.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

/// The truth with room for one more component.
CoreSolution with_free_component(const test::PlantedCore& planted) {
  CoreSolution solution;
  solution.spread = spread(planted.core, thinned(informative(planted.core)));
  solution.exact = true;
  solution.factors = planted.truth;
  for (Matrix& factor : solution.factors) {
    factor.conservativeResizeLike(Matrix::Zero(factor.rows(), factor.cols() + 1));
  }
  return solution;
}

TEST(Surplus, AComponentOnASingleOutlierGoesAndTheOthersStay) {
  auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0}, 1);
  planted.core.values[(3 * 12 + 4) * 12 + 5] += 8;
  CoreSolution solution = with_free_component(planted);
  solution.factors[0](3, 2) = solution.factors[1](4, 2) = solution.factors[2](5, 2) = 2;
  Monitor monitor;
  drop_unsupported(planted.core, solution, monitor);
  EXPECT_EQ(component_sizes(solution.factors)[2], 0);
  EXPECT_LT(planted.error(solution.factors), 1e-14);
  EXPECT_TRUE(solution.whole);
}

/// A component on 2 x 2 x 3 entries has 7 unknowns: too few entries to be sure of, too many to be
/// an accident.
TEST(Surplus, AComponentOnFewEntriesIsDroppedWithAHint) {
  auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0}, 2);
  CoreSolution solution = with_free_component(planted);
  solution.factors[0].col(2).head(2) << 1, 1.5;
  solution.factors[1].col(2).head(2) << 2, -1;
  solution.factors[2].col(2).head(3) << 3, 1, 2;
  planted.core.values = evaluate(solution.factors);
  Monitor monitor;
  drop_unsupported(planted.core, solution, monitor);
  EXPECT_EQ(component_sizes(solution.factors)[2], 0);
  EXPECT_FALSE(solution.whole);
}

TEST(Surplus, AComponentAmongTheOutliersIsFound) {
  auto planted = test::planted_core({14, 14, 14}, 2, {.density = 0}, 3);
  CoreSolution solution = with_free_component(planted);
  Factors all = solution.factors;
  Rng rng(4);
  for (Matrix& factor : all) {
    for (Index i = 0; i < 10; ++i) factor(i, 2) = rng.normal();
  }
  planted.core.values += evaluate(all) - evaluate(planted.truth);
  planted.truth = all;
  Monitor monitor;
  solution.spread = spread(planted.core, thinned(informative(planted.core)));
  EXPECT_TRUE(search_outliers(planted.core, levels::ratio_rounding, solution, rng, monitor));
  EXPECT_LT(planted.error(solution.factors), 1e-6);
}

TEST(Surplus, ErrorsAreNoComponent) {
  const auto planted = test::planted_core({14, 14, 14}, 2, {.density = 0.1}, 5);
  CoreSolution solution = with_free_component(planted);
  Rng rng(6);
  Monitor monitor;
  EXPECT_FALSE(search_outliers(planted.core, levels::ratio_rounding, solution, rng, monitor));
  EXPECT_EQ(component_sizes(solution.factors)[2], 0);
  EXPECT_TRUE(solution.whole);
}

TEST(Surplus, FittedEntriesAreCounted) {
  const auto planted = test::planted_core({12, 12, 12}, 2, {.density = 0.25, .missing = 0.2}, 7);
  Monitor monitor;
  const PassStatistics fitted = fitted_statistics(planted.core, 1, planted.truth, monitor);
  EXPECT_EQ(fitted.missing, static_cast<Index>((1 - planted.core.observed).sum()));
  EXPECT_EQ(fitted.kept + fitted.rejected, fitted.observed());
  EXPECT_NEAR(static_cast<double>(fitted.kept) / static_cast<double>(fitted.observed()), 0.75,
              0.05);
}

}  // namespace
}  // namespace sunder::robust
