#include "algorithms/robust_cp/core/core_solver.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"
#include "core/random_order.hpp"

namespace sunder::robust {
namespace {

CoreSolution solved_core(const DenseCore& core, int rank, const CoreOptions& options = {}) {
  Rng rng(5);
  Monitor monitor;
  return solve_core(core, rank, options, rng, monitor);
}

TEST(CoreSolver, RecoversThePlantedModelToRounding) {
  for (const Shape& shape : {Shape{22, 21, 20}, Shape{60, 50}, Shape{12, 11, 10, 9}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto planted = test::planted_core(shape, 3, {.density = 0.2}, seed);
      const CoreSolution solution = solved_core(planted.core, 3);
      EXPECT_TRUE(solution.exact) << to_string(shape) << ' ' << seed;
      EXPECT_TRUE(solution.determined()) << to_string(shape) << ' ' << seed;
      EXPECT_TRUE(solution.whole);
      EXPECT_LT(planted.error(solution.factors), 1e-10) << to_string(shape) << ' ' << seed;
      EXPECT_NEAR(solution.exact_share, 0.8, 0.02);
    }
  }
}

TEST(CoreSolver, MissingEntriesAreNoEvidence) {
  const auto planted = test::planted_core({20, 20, 20}, 2, {.density = 0.2, .missing = 0.4}, 3);
  const CoreSolution solution = solved_core(planted.core, 2);
  EXPECT_TRUE(solution.exact);
  EXPECT_LT(planted.error(solution.factors), 1e-10);
  EXPECT_NEAR(solution.exact_share, 0.8, 0.03);
}

TEST(CoreSolver, TheOrderOfSlicesDoesNotMatter) {
  const auto planted = test::planted_core({18, 17, 16}, 2, {.density = 0.3}, 4);
  Rng rng(1);
  const std::vector<Index> order = draw_distinct(17, 17, rng);
  const CoreSolution there = solved_core(test::with_slices(planted.core, 1, order), 2);
  Factors expected = planted.truth;
  expected[1] = planted.truth[1](order, Eigen::all);
  EXPECT_TRUE(there.exact);
  EXPECT_LT(distance(there.factors, expected), 1e-10 * norm(expected));
}

TEST(CoreSolver, TheUnitOfTheDataDoesNotMatter) {
  const auto planted = test::planted_core({16, 16, 16}, 2, {.density = 0.2}, 5);
  for (const double unit : {0x1p-60, 0x1p60}) {
    DenseCore core = planted.core;
    core.values *= unit;
    CoreSolution solution = solved_core(core, 2);
    EXPECT_TRUE(solution.exact && solution.determined()) << unit;
    solution.factors.front() /= unit;
    EXPECT_LT(planted.error(solution.factors), 1e-10) << unit;
  }
}

TEST(CoreSolver, NoiseIsRecognisedAndEndsTheLadder) {
  const auto planted = test::planted_core({20, 20, 20}, 2, {.density = 0.1, .noise = 0.02}, 6);
  const CoreSolution solution = solved_core(planted.core, 2, {.until_noise = true});
  EXPECT_FALSE(solution.exact);
  EXPECT_TRUE(solution.noise_like);
  EXPECT_EQ(solution.starts, 1);
  const double rms = norm(planted.truth) / std::sqrt(8000.0);
  EXPECT_NEAR(solution.sigma, 0.02 * rms, 0.002 * rms);
  EXPECT_LT(planted.error(solution.factors), 0.02);
}

TEST(CoreSolver, EveryRungIsTriedWhereNoneSucceeds) {
  Rng rng(7);
  DenseCore core;
  core.shape = Shape{9, 9, 9};
  core.values = Entries::NullaryExpr(729, [&] { return rng.normal(); });
  for (const int rungs : {1, 3}) {
    const CoreSolution solution = solved_core(core, 2, {.rungs = rungs});
    EXPECT_FALSE(solution.exact);
    EXPECT_EQ(solution.starts, rungs);
  }
}

TEST(CoreSolver, ARankAboveTheTrueOneIsReduced) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const auto planted = test::planted_core({18, 18, 18}, 2, {.density = 0.1}, seed);
    const CoreSolution solution = solved_core(planted.core, 4);
    EXPECT_TRUE(solution.exact && solution.determined()) << seed;
    ASSERT_EQ(solution.factors.front().cols(), 4);
    EXPECT_EQ((component_sizes(solution.factors) > 0).count(), 2) << seed;
    EXPECT_LT(planted.error(solution.factors), 1e-10) << seed;
  }
}

TEST(CoreSolver, ARankBelowTheTrueOneIsNotExact) {
  const auto planted = test::planted_core({16, 16, 16}, 4, {.density = 0.1}, 8);
  EXPECT_FALSE(solved_core(planted.core, 2).exact);
}

TEST(CoreSolver, SharedFactorsAreEqual) {
  auto planted = test::planted_core({16, 16, 14}, 2, {.density = 0}, 9);
  planted.truth[1] = planted.truth[0];
  planted.core.values = evaluate(planted.truth);
  for (Index i = 0; i < planted.core.values.size(); i += 9) planted.core.values[i] += 3;
  CoreOptions options;
  options.constraints = ModeConstraints({{{0, 1}}, {}}, planted.core.shape);
  const CoreSolution solution = solved_core(planted.core, 2, options);
  EXPECT_TRUE(solution.exact);
  EXPECT_EQ(solution.factors[0], solution.factors[1]);
  EXPECT_LT(planted.error(solution.factors), 1e-10);
}

TEST(CoreSolver, AHeartbeatThatThrowsEndsIt) {
  const auto planted = test::planted_core({12, 12, 12}, 2, {}, 10);
  Rng rng(1);
  int beats = 0;
  Monitor monitor([&] {
    if (++beats > 3) throw std::runtime_error("no longer wanted");
  });
  EXPECT_THROW(solve_core(planted.core, 2, {}, rng, monitor), std::runtime_error);
}

}  // namespace
}  // namespace sunder::robust
