#include "sunder/algorithms/rtd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

/// As Theorem 1 has it: orthonormal components, few small blocks.
PlantedOptions symmetric_problem(std::uint64_t seed) {
  PlantedOptions options;
  options.shape = Shape{40, 40, 40};
  options.rank = 3;
  options.symmetric = true;
  options.factors = FactorKind::orthonormal;
  options.support = Support::block;
  options.blocks = 3;
  options.density = 0.1;
  options.seed = seed;
  return options;
}

bool is_within(const SparseTensor& inner, const SparseTensor& outer) {
  return std::includes(outer.positions().begin(), outer.positions().end(),
                       inner.positions().begin(), inner.positions().end());
}

TEST(Rtd, RecoversUnderTheConditionsOfTheTheorem) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Signs signs : {Signs::one, Signs::random}) {
      PlantedOptions options = symmetric_problem(seed);
      options.signs = signs;
      const PlantedTensor planted = generate_planted(options);
      const Decomposition result = rtd(planted.tensor.view(), of_rank(3), {});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_LT(evaluation.error_low_rank, 1e-10) << "seed " << seed;
      EXPECT_TRUE(is_within(result.sparse, planted.sparse)) << "seed " << seed;
      EXPECT_EQ(result.certificate.level, Certified::none);
      EXPECT_GT(result.passes, 0);
    }
  }
}

TEST(Rtd, RecoversAnAsymmetricTensorThroughItsEmbedding) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PlantedOptions options = test::small_problem(seed);
    options.shape = Shape{20, 30, 40};
    options.rank = 2;
    options.density = 0.02;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = rtd(planted.tensor.view(), of_rank(2), {.embed = true});
    EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-8)
        << "seed " << seed;
  }
}

TEST(Rtd, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = generate_planted(symmetric_problem(1));
  const Decomposition one = rtd(planted.tensor.view(), of_rank(3), {});
  RunOptions two = of_rank(3);
  two.threads = 2;
  const Decomposition other = rtd(planted.tensor.view(), two, {});
  EXPECT_EQ(one.low_rank.factor(0), other.low_rank.factor(0));
  EXPECT_EQ(one.passes, other.passes);
}

TEST(Rtd, ThresholdsFallAsStepSevenSays) {
  const PlantedTensor planted = generate_planted(symmetric_problem(2));
  const Decomposition result = rtd(planted.tensor.view(), of_rank(3), {});
  // In the last stage zeta halves until it reaches its floor.
  std::vector<double> last;
  for (const TraceRecord& line : result.trace) {
    if (line.stage == "stage 3 of 3") last.push_back(line.threshold);
  }
  ASSERT_GT(last.size(), 20U);
  for (std::size_t t = 2; t < 15; ++t) EXPECT_NEAR(last[t + 1] / last[t], 0.5, 1e-2);
  EXPECT_NEAR(last.back(), 1e-6 / (4 * std::pow(40.0, 1.5)), 1e-15);
}

TEST(Rtd, ReturnsEarlyWhereNothingIsLeft) {
  PlantedOptions options = symmetric_problem(3);
  options.rank = 2;
  const CpModel truth = generate_planted(options).low_rank;
  const Decomposition result = rtd(test::dense(truth).view(), of_rank(4), {});
  EXPECT_LT(result.low_rank.distance(truth), 1e-10 * truth.norm());
  EXPECT_EQ(result.trace.back().stage, "stage 2 of 4");  // step 9
}

TEST(Rtd, EndsCleanlyOnAZeroTensor) {
  const DenseTensor zeros(Shape{6, 6, 6});
  const Decomposition result = rtd(zeros.view(), of_rank(2), {});
  EXPECT_EQ(result.low_rank.norm(), 0);
  EXPECT_EQ(result.sparse_count, 0);
}

TEST(Rtd, StopsWhenItIsNoLongerWanted) {
  const PlantedTensor planted = generate_planted(symmetric_problem(1));
  RunOptions run = of_rank(3);
  int reports = 0;
  run.progress = [&](const Progress&) { return ++reports < 40 ? Continue::yes : Continue::cancel; };
  EXPECT_EQ(rtd(planted.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(Rtd, RefusesWhatItCannotUse) {
  const PlantedTensor planted = generate_planted(symmetric_problem(1));
  const auto attempt = [&](int rank, const RtdOptions& options) {
    rtd(planted.tensor.view(), of_rank(rank), options);
  };
  EXPECT_THROW(attempt(0, {}), OptionError);
  EXPECT_THROW(attempt(41, {}), InputError);
  EXPECT_THROW(attempt(3, {.delta = 0}), OptionError);
  EXPECT_THROW(attempt(3, {.mu = 0}), OptionError);
  EXPECT_THROW(attempt(3, {.mu = -1}), OptionError);
  EXPECT_THROW(attempt(3, {.beta = 0}), OptionError);
  EXPECT_THROW(attempt(3, {.restarts = 0}), OptionError);
  const PlantedTensor asymmetric = generate_planted(test::small_problem(1));
  EXPECT_THROW(rtd(asymmetric.tensor.view(), of_rank(2), {}), InputError);
  PlantedOptions cube = test::small_problem(1);
  cube.shape = Shape{20, 20, 20};
  const PlantedTensor no_symmetry = generate_planted(cube);
  EXPECT_THROW(rtd(no_symmetry.tensor.view(), of_rank(2), {}), InputError);
  const DenseTensor matrix(Shape{5, 5});
  EXPECT_THROW(rtd(matrix.view(), of_rank(1), {}), InputError);
}

}  // namespace
}  // namespace sunder
