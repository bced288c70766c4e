#include "algorithms/robust_cp/core/graduated/graduated.hpp"

#include <gtest/gtest.h>

#include "algorithms/robust_cp/planted_core.hpp"
#include "core/random_order.hpp"

namespace sunder::robust {
namespace {

/// A fit, and how many iterations it took, starts of ALS included.
struct GraduatedRun {
  Factors factors;
  int beats = 0;
};

GraduatedRun run_graduated(const DenseCore& core, int rank, const GraduatedOptions& options = {}) {
  GraduatedRun fit;
  Rng rng(5);
  Monitor monitor([&] { ++fit.beats; });
  fit.factors = graduated_fit(core, rank, options, rng, monitor);
  return fit;
}

/// Heartbeats of the starts, one each.
constexpr int beats_of_starts = levels::start::restarts;

TEST(Graduated, RecoversThePlantedModel) {
  // Of matrices single rows are locked out as often as not (healing_test.cpp).
  for (const Shape& shape : {Shape{20, 21, 22}, Shape{12, 11, 10, 9}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto planted = test::planted_core(shape, 3, {.density = 0.25}, seed);
      const GraduatedRun fit = run_graduated(planted.core, 3);
      EXPECT_LT(planted.error(fit.factors), 1e-7) << to_string(shape) << ' ' << seed;
      EXPECT_LT(fit.beats, beats_of_starts + levels::graduated::max_iterations);
    }
  }
}

TEST(Graduated, OutliersOfEitherSignAndMissingEntries) {
  for (const bool one_sided : {true, false}) {
    const auto planted = test::planted_core(
        {20, 20, 20}, 2, {.density = 0.3, .one_sided = one_sided, .missing = 0.3}, 4);
    EXPECT_LT(planted.error(run_graduated(planted.core, 2).factors), 1e-7) << one_sided;
  }
}

TEST(Graduated, FactorsAreBalanced) {
  const auto planted = test::planted_core({14, 15, 16}, 3, {}, 5);
  const Factors factors = run_graduated(planted.core, 3).factors;
  for (Index i = 0; i < 3; ++i) {
    const double length = factors[0].col(i).norm();
    EXPECT_NEAR(factors[1].col(i).norm(), length, 1e-12 * length);
    EXPECT_NEAR(factors[2].col(i).norm(), length, 1e-12 * length);
  }
}

/// What is left is noise: it ends long before the limit of iterations.
TEST(Graduated, NoiseMakesItStationary) {
  const auto planted = test::planted_core({20, 20, 20}, 2, {.density = 0.1, .noise = 0.05}, 6);
  const GraduatedRun fit = run_graduated(planted.core, 2);
  EXPECT_LT(fit.beats, beats_of_starts + levels::graduated::max_iterations / 2);
  EXPECT_LT(planted.error(fit.factors), 0.03);
}

/// A fit that cannot succeed is given up after some steps on the inliers.
TEST(Graduated, DataWithoutAModelEndToo) {
  Rng rng(7);
  DenseCore core;
  core.shape = Shape{10, 10, 10};
  core.values = Entries::NullaryExpr(1000, [&] { return rng.normal(); });
  const GraduatedRun fit = run_graduated(core, 2);
  EXPECT_LE(fit.beats, beats_of_starts + levels::graduated::max_iterations);
  EXPECT_TRUE(fit.factors[0].allFinite());
}

/// Blocks of outliers are nearly components themselves, and take the surplus ones.
TEST(Graduated, SurplusComponentsTakeUpBlocks) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    auto planted = test::planted_core({24, 24, 24}, 2, {.density = 0}, seed);
    const double size = std::sqrt(planted.core.values.square().mean());
    Rng rng(seed, 1);
    for (int block = 0; block < 3; ++block) {
      const std::vector<Index> slices[] = {draw_distinct(24, 11, rng), draw_distinct(24, 11, rng),
                                           draw_distinct(24, 11, rng)};
      for (const Index i : slices[0]) {
        for (const Index j : slices[1]) {
          for (const Index k : slices[2]) {
            planted.core.values[(i * 24 + j) * 24 + k] += size * rng.uniform(1, 2);
          }
        }
      }
    }
    const GraduatedRun fit = run_graduated(planted.core, 2, {.surplus = 5, .start_width = 20});
    ASSERT_EQ(fit.factors.front().cols(), 2);
    EXPECT_LT(planted.error(fit.factors), 1e-6) << seed;
  }
}

TEST(Graduated, TheUnitAndTheOrderOfSlicesDoNotMatter) {
  const auto planted = test::planted_core({16, 16, 16}, 2, {.density = 0.2}, 8);
  Rng rng(2);
  const std::vector<Index> order = draw_distinct(16, 16, rng);
  DenseCore core = test::with_slices(planted.core, 0, order);
  core.values *= 0x1p30;
  Factors factors = run_graduated(core, 2).factors;
  factors[0] *= 0x1p-30;
  Factors expected = planted.truth;
  expected[0] = planted.truth[0](order, Eigen::all);
  EXPECT_LT(distance(factors, expected), 1e-7 * norm(expected));
}

TEST(Graduated, TheSameSeedGivesTheSameBits) {
  const auto planted = test::planted_core({12, 12, 12}, 2, {}, 9);
  const Factors once = run_graduated(planted.core, 2).factors;
  const Factors again = run_graduated(planted.core, 2).factors;
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(once[m], again[m]);
}

}  // namespace
}  // namespace sunder::robust
