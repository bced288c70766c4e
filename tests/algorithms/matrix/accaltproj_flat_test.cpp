#include <gtest/gtest.h>

#include "algorithms/matrix/rpca_problem.hpp"
#include "algorithms/method_checks.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/accaltproj.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

PlantedTensor small_cube(std::uint64_t seed, double density = 0.02) {
  PlantedOptions options = test::small_problem(seed);
  options.shape = Shape{50, 40, 45};
  options.rank = 2;
  options.density = density;
  return generate_planted(options);
}

// Cai et al. (2019), Section 3.1: rank 5, c = 1, up to alpha = 0.3. A larger gamma is their advice
// for the harder problems.
TEST(AccAltProjFlat, RecoversTheRandomMatricesOfItsPaper) {
  for (const auto& [alpha, gamma] : {std::pair{0.1, 0.5}, {0.2, 0.5}, {0.3, 0.7}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const test::RpcaProblem problem = test::rpca_problem(300, 5, alpha, 1, seed);
      const Decomposition result =
          accaltproj_flat(problem.data.view(), of_rank(5), {.gamma = gamma});
      const Evaluation evaluation = evaluate(result, problem.low_rank, problem.sparse);
      SCOPED_TRACE("alpha " + std::to_string(alpha) + ", seed " + std::to_string(seed));
      EXPECT_LT(evaluation.error_low_rank, 1e-8);
      EXPECT_GT(evaluation.support.recall, 0.999);
      EXPECT_GT(evaluation.support.precision, 0.999);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_EQ(result.certificate.level, Certified::none);
      EXPECT_EQ(result.low_rank.rank(), 5);
    }
  }
}

// Theorem 1 there: linear convergence at the rate gamma, for a pass each, once the threshold has
// come down to the entries of S.
TEST(AccAltProjFlat, TheResidualFallsByGammaForEachPass) {
  const test::RpcaProblem problem = test::rpca_problem(200, 3, 0.1, 1, 1);
  for (const double gamma : {0.5, 0.7}) {
    const Decomposition result = accaltproj_flat(problem.data.view(), of_rank(3), {.gamma = gamma});
    ASSERT_GT(result.trace.size(), 15U);
    for (std::size_t t = 1; t < result.trace.size(); ++t) {
      EXPECT_EQ(result.trace[t].pass, result.trace[t - 1].pass + 1);
      if (t < 8) continue;
      EXPECT_LT(result.trace[t].kept_residual, 1.1 * gamma * result.trace[t - 1].kept_residual)
          << "gamma " << gamma << ", iteration " << t;
    }
    EXPECT_EQ(result.passes, result.trace.back().pass + 1);
  }
}

TEST(AccAltProjFlat, RecoversAFlatteningAlongEveryMode) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const PlantedTensor planted = small_cube(seed);
    for (int mode = 0; mode < 3; ++mode) {
      const Decomposition result =
          accaltproj_flat(planted.tensor.view(), of_rank(2), {.flatten_mode = mode});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      EXPECT_LT(evaluation.error_low_rank, 1e-7) << "mode " << mode << ", seed " << seed;
      EXPECT_GT(evaluation.support.recall, 0.999);
    }
  }
}

TEST(AccAltProjFlat, AGivenIncoherenceAndTrimmingServeAsWell) {
  const test::RpcaProblem problem = test::rpca_problem(200, 3, 0.1, 1, 2);
  const Decomposition plain = accaltproj_flat(problem.data.view(), of_rank(3), {.mu = 6});
  const Decomposition trimmed =
      accaltproj_flat(problem.data.view(), of_rank(3), {.mu = 6, .trim = true});
  EXPECT_LT(evaluate(plain, problem.low_rank, problem.sparse).error_low_rank, 1e-8);
  EXPECT_LT(evaluate(trimmed, problem.low_rank, problem.sparse).error_low_rank, 1e-8);
  // An incoherence that L does not have: its rows are cut, and L is not among what is left.
  const Decomposition cut =
      accaltproj_flat(problem.data.view(), of_rank(3), {.mu = 0.5, .trim = true});
  EXPECT_GT(evaluate(cut, problem.low_rank, problem.sparse).error_low_rank, 1e-3);
}

TEST(AccAltProjFlat, MissingEntriesAreFilledIn) {
  PlantedOptions options = test::small_problem(1);
  options.shape = Shape{50, 40, 45};
  options.rank = 2;
  options.density = 0.01;
  options.missing = 0.05;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = accaltproj_flat(planted.tensor.view(), of_rank(2), {});
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6);
  EXPECT_GT(result.missing_count, 3000);
}

TEST(AccAltProjFlat, UnderNoiseTheToleranceKeepsItOutOfS) {
  PlantedOptions options = test::small_problem(2);
  options.shape = Shape{50, 40, 45};
  options.rank = 2;
  options.density = 0.005;
  options.noise = 0.02;
  options.magnitude = 3;
  const PlantedTensor planted = generate_planted(options);
  const auto solve = [&](double tolerance) {
    return accaltproj_flat(planted.tensor.view(), of_rank(2), {.tolerance = tolerance});
  };
  const Decomposition stopped = solve(0.025);
  EXPECT_LT(evaluate(stopped, planted.low_rank, planted.sparse).error_low_rank, 0.01);
  EXPECT_LT(stopped.sparse_count, 90000 / 10);
  EXPECT_GT(solve(1e-9).sparse_count, 90000 / 2);
}

TEST(AccAltProjFlat, ScalingTheDataScalesTheResult) {
  PlantedTensor planted = small_cube(5);
  test::expect_result_scales(
      planted.tensor, [&] { return accaltproj_flat(planted.tensor.view(), of_rank(2), {}); }, 0);
}

TEST(AccAltProjFlat, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = small_cube(3);
  test::expect_same_parts(accaltproj_flat(planted.tensor.view(), of_rank(2), {}),
                          accaltproj_flat(planted.tensor.view(), of_rank(2, 1, 2), {}));
}

TEST(AccAltProjFlat, EndsCleanlyOnDegenerateData) {
  test::for_constant_tensors({0, -3}, test::degenerate_shapes(), [](const DenseTensor& tensor) {
    const Decomposition result = accaltproj_flat(tensor.view(), of_rank(1), {});
    EXPECT_EQ(result.outcome, Outcome::converged);
    EXPECT_EQ(result.low_rank.shape(), tensor.shape());
    EXPECT_NEAR(result.low_rank.norm(), test::norm_of(tensor), 1e-8);
  });
}

TEST(AccAltProjFlat, SaysWhenItDidNotFinish) {
  const PlantedTensor planted = small_cube(4);
  EXPECT_EQ(accaltproj_flat(planted.tensor.view(), of_rank(2), {.max_iterations = 3}).outcome,
            Outcome::iteration_limit);
  const RunOptions run = test::cancelled_at(20, of_rank(2));
  EXPECT_EQ(accaltproj_flat(planted.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(AccAltProjFlat, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{3, 3, 4});
  const auto solve = [&](int rank, AccAltProjOptions options = {}) {
    accaltproj_flat(tensor.view(), of_rank(rank), options);
  };
  test::expect_refuses_ranks(solve);
  EXPECT_THROW(solve(1, {.flatten_mode = 3}), OptionError);
  EXPECT_THROW(solve(1, {.mu = -1}), OptionError);
  EXPECT_THROW(solve(1, {.gamma = 1}), OptionError);
  EXPECT_THROW(solve(1, {.trim = true}), OptionError);
  EXPECT_THROW(solve(1, {.tolerance = 0}), OptionError);
  EXPECT_THROW(solve(1, {.max_iterations = 0}), OptionError);
  test::expect_refuses_only_missing(tensor, {[&] { solve(1); }});
}

}  // namespace
}  // namespace sunder
