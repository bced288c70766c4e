#include "algorithms/robust_cp/core/graduated/pruning.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

Eigen::ArrayXd losses(std::initializer_list<double> values) {
  Eigen::ArrayXd result(std::ssize(values));
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

TEST(Pruning, AllOfTheSurplusGoesWhereTheWantedStandOut) {
  const Pruning pruning = choose_components(losses({0.01, 0.5, 0.02, 0.4}), 2);
  EXPECT_TRUE(pruning.clear);
  EXPECT_EQ(pruning.kept, (std::vector<Index>{1, 3}));
}

TEST(Pruning, AQuarterOfItGoesOtherwise) {
  const Pruning pruning = choose_components(losses({0.3, 0.5, 0.2, 0.4, 0.25, 0.22, 0.21}), 2);
  EXPECT_FALSE(pruning.clear);
  EXPECT_EQ(pruning.kept, (std::vector<Index>{1, 3, 0, 4, 5}));
}

TEST(Pruning, AtLeastOneGoes) {
  EXPECT_EQ(choose_components(losses({0.3, 0.5, 0.4}), 2).kept, (std::vector<Index>{1, 2}));
}

/// A component that is worth nothing at all is no wanted one.
TEST(Pruning, NothingStandsOutAmongNothing) {
  EXPECT_FALSE(choose_components(losses({1e-14, 0, 0}), 1).clear);
}

/// Two of three components share what is one: neither alone is it, but the refit finds it.
TEST(Pruning, ComponentsThatShareOneAreRefitted) {
  const auto planted = test::planted_core({12, 13, 14}, 2, {.density = 0.1}, 1);
  Factors model = planted.truth;
  for (Matrix& factor : model) factor.conservativeResize(Eigen::NoChange, 3);
  model[0].col(2) = 0.5 * model[0].col(1);
  model[0].col(1) *= 0.5;
  model[1].col(2) = model[1].col(1);
  model[2].col(2) = model[2].col(1);
  std::vector<Index> entries(planted.core.values.size());
  std::iota(entries.begin(), entries.end(), Index{0});
  Rng rng(2);
  const CoreSample sample(planted.core, entries, rng);
  Factors chosen;
  for (const Matrix& factor : model) chosen.emplace_back(factor.leftCols(2));
  EXPECT_GT(planted.error(chosen), 0.1);
  const Factors best = best_of_lower_rank(model, chosen, sample, 0.1, rng);
  EXPECT_LT(planted.error(best), 1e-3);
  EXPECT_LT(robust_cost(sample.residual(best), 0.1), robust_cost(sample.residual(chosen), 0.1));
}

TEST(Pruning, AMatrixKeepsWhatWasChosen) {
  const auto planted = test::planted_core({12, 13}, 2, {.density = 0.1}, 3);
  Rng rng(2);
  const CoreSample sample(planted.core, {0, 1, 2}, rng);
  const Factors best = best_of_lower_rank(planted.truth, planted.truth, sample, 0.1, rng);
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(best[m], planted.truth[m]);
}

}  // namespace
}  // namespace sunder::robust
