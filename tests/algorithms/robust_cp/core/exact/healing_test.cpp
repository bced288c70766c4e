#include "algorithms/robust_cp/core/exact/healing.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/core/exact/core_verdict.hpp"
#include "algorithms/robust_cp/planted_core.hpp"

namespace sunder::robust {
namespace {

/// A threshold locks a row out when the model is so wrong there that none of its entries is an
/// inlier.
TEST(Healing, RowsThatWereLockedOutAreHealed) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto planted = test::planted_core({20, 19, 18}, 3, {.density = 0.3}, seed);
    const std::vector<Index> entries = thinned(informative(planted.core));
    CoreSolution solution;
    solution.spread = spread(planted.core, entries);
    solution.factors = planted.truth;
    EXPECT_FALSE(has_poor_rows(planted.core, solution)) << seed;
    solution.factors[0].row(3) *= -1;
    solution.factors[2].row(7).setZero();
    judge(planted.core, entries, solution);
    EXPECT_TRUE(has_poor_rows(planted.core, solution)) << seed;
    Rng rng(seed);
    Monitor monitor;
    heal_rows(planted.core, entries, solution, rng, monitor);
    EXPECT_TRUE(solution.exact) << seed;
    EXPECT_FALSE(has_poor_rows(planted.core, solution)) << seed;
    EXPECT_LT(planted.error(solution.factors), 1e-7) << seed;
    EXPECT_GT(monitor.flops(), 0);
  }
}

TEST(Healing, MissingEntriesDoNotHinderIt) {
  const auto planted = test::planted_core({18, 18, 18}, 2, {.density = 0.2, .missing = 0.3}, 4);
  const std::vector<Index> entries = thinned(informative(planted.core));
  CoreSolution solution;
  solution.spread = spread(planted.core, entries);
  solution.factors = planted.truth;
  solution.factors[1].row(5) *= 3;
  judge(planted.core, entries, solution);
  Rng rng(1);
  Monitor monitor;
  heal_rows(planted.core, entries, solution, rng, monitor);
  EXPECT_LT(planted.error(solution.factors), 1e-7);
}

/// It ends when a sweep no longer lowers sigma.
TEST(Healing, AModelThatIsAllWrongEndsIt) {
  const auto planted = test::planted_core({14, 14, 14}, 3, {.density = 0.3}, 5);
  const std::vector<Index> entries = thinned(informative(planted.core));
  CoreSolution solution;
  solution.spread = spread(planted.core, entries);
  solution.factors = test::normal_factors({14, 14, 14}, 1, 6);
  judge(planted.core, entries, solution);
  Rng rng(1);
  Monitor monitor;
  heal_rows(planted.core, entries, solution, rng, monitor);
  EXPECT_FALSE(solution.exact);
}

}  // namespace
}  // namespace sunder::robust
