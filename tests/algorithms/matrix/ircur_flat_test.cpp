#include <gtest/gtest.h>

#include "algorithms/matrix/rpca_problem.hpp"
#include "algorithms/method_checks.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/ircur.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

PlantedTensor small_cube_with_missing(std::uint64_t seed, double missing = 0) {
  PlantedOptions options = test::small_problem(seed);
  options.shape = Shape{50, 40, 45};
  options.rank = 2;
  options.density = 0.02;
  options.missing = missing;
  return generate_planted(options);
}

// Cai et al. (2021), Section IV: both variants recover with rank 5, c = 1 and c = 5.
TEST(IrcurFlat, RecoversTheRandomMatricesOfItsPaper) {
  for (const bool fixed : {false, true}) {
    for (const double c : {1.0, 5.0}) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const test::RpcaProblem problem = test::rpca_problem(200, 5, 0.1, c, seed);
        const Decomposition result = ircur_flat(problem.data.view(), of_rank(5), {.fixed = fixed});
        const Evaluation evaluation = evaluate(result, problem.low_rank, problem.sparse);
        SCOPED_TRACE("fixed " + std::to_string(fixed) + ", c " + std::to_string(c) + ", seed " +
                     std::to_string(seed));
        EXPECT_LT(evaluation.error_low_rank, 1e-7);
        EXPECT_GT(evaluation.support.recall, 0.999);
        EXPECT_GT(evaluation.support.precision, 0.99);
        EXPECT_EQ(result.outcome, Outcome::converged);
        EXPECT_EQ(result.certificate.level, Certified::none);
        EXPECT_EQ(result.low_rank.rank(), 5);
      }
    }
  }
}

TEST(IrcurFlat, ReadsTheSampleAndOnceTheWhole) {
  const test::RpcaProblem problem = test::rpca_problem(300, 3, 0.05, 1, 1);
  const Decomposition result = ircur_flat(problem.data.view(), of_rank(3), {.fixed = true});
  EXPECT_EQ(result.passes, 1);
  // 4 r log n = 68.4 draws of rows and as many of columns, some of them twice.
  EXPECT_LE(result.entries_sampled, 2 * 69 * 300);
  EXPECT_GT(result.entries_sampled, 2 * 50 * 300);
  const Decomposition again = ircur_flat(problem.data.view(), of_rank(3), {});
  EXPECT_EQ(again.passes, 1);
  EXPECT_GT(again.entries_sampled, 10 * result.entries_sampled);
  EXPECT_EQ(again.trace.back().entries_sampled, again.entries_sampled);
}

TEST(IrcurFlat, RecoversAFlatteningAlongEveryMode) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const PlantedTensor planted = small_cube_with_missing(seed);
    for (int mode = 0; mode < 3; ++mode) {
      const Decomposition result =
          ircur_flat(planted.tensor.view(), of_rank(2), {.flatten_mode = mode});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      EXPECT_LT(evaluation.error_low_rank, 1e-6) << "mode " << mode << ", seed " << seed;
      EXPECT_GT(evaluation.support.recall, 0.99);
    }
  }
}

TEST(IrcurFlat, MissingEntriesAreFilledIn) {
  const PlantedTensor planted = small_cube_with_missing(1, 0.05);
  const Decomposition result = ircur_flat(planted.tensor.view(), of_rank(2), {});
  EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-5);
  EXPECT_GT(result.missing_count, 3000);
}

TEST(IrcurFlat, ScalingTheDataScalesTheResult) {
  PlantedTensor planted = small_cube_with_missing(5);
  test::expect_result_scales(
      planted.tensor, [&] { return ircur_flat(planted.tensor.view(), of_rank(2), {}); }, 1e-9);
}

TEST(IrcurFlat, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = small_cube_with_missing(3);
  test::expect_same_parts(ircur_flat(planted.tensor.view(), of_rank(2), {}),
                          ircur_flat(planted.tensor.view(), of_rank(2, 1, 2), {}));
}

TEST(IrcurFlat, EndsCleanlyOnDegenerateData) {
  test::for_constant_tensors({0, -3}, test::degenerate_shapes(), [](const DenseTensor& tensor) {
    const Decomposition result = ircur_flat(tensor.view(), of_rank(1), {});
    EXPECT_EQ(result.low_rank.shape(), tensor.shape());
    EXPECT_NEAR(result.low_rank.norm(), test::norm_of(tensor), 1e-7);
  });
}

TEST(IrcurFlat, SaysWhenItDidNotFinish) {
  const PlantedTensor planted = small_cube_with_missing(4);
  EXPECT_EQ(ircur_flat(planted.tensor.view(), of_rank(2), {.max_iterations = 3}).outcome,
            Outcome::iteration_limit);
  const RunOptions run = test::cancelled_at(10, of_rank(2));
  EXPECT_EQ(ircur_flat(planted.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(IrcurFlat, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{3, 3, 4});
  const auto solve = [&](int rank, IrcurOptions options = {}) {
    ircur_flat(tensor.view(), of_rank(rank), options);
  };
  test::expect_refuses_ranks(solve);
  EXPECT_THROW(solve(1, {.flatten_mode = -1}), OptionError);
  EXPECT_THROW(solve(1, {.sample_constant = 0}), OptionError);
  EXPECT_THROW(solve(1, {.gamma = 0}), OptionError);
  EXPECT_THROW(solve(1, {.tolerance = 0}), OptionError);
  EXPECT_THROW(solve(1, {.max_iterations = 0}), OptionError);
  test::expect_refuses_only_missing(tensor, {[&] { solve(1); }});
}

}  // namespace
}  // namespace sunder
