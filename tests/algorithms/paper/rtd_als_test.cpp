#include "sunder/algorithms/rtd_als.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::of_rank;

TEST(RtdAls, RecoversPlantedProblemsOfSeveralShapesAndSupports) {
  struct Case {
    Shape shape;
    int rank;
    Support support;
    double density;
  };
  for (const Case& problem :
       {Case{{40, 40, 40}, 3, Support::block, 0.2}, Case{{40, 40, 40}, 3, Support::uniform, 0.1},
        Case{{30, 45, 60}, 2, Support::uniform, 0.1},
        Case{{20, 15, 12, 10}, 2, Support::uniform, 0.1},
        Case{{80, 90}, 2, Support::uniform, 0.05}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      PlantedOptions options = test::small_problem(seed);
      options.shape = problem.shape;
      options.rank = problem.rank;
      options.support = problem.support;
      options.density = problem.density;
      options.blocks = 5;
      const PlantedTensor planted = generate_planted(options);
      const Decomposition result = rtd_als(planted.tensor.view(), of_rank(options.rank), {});
      const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
      SCOPED_TRACE(to_string(problem.shape) + ", seed " + std::to_string(seed));
      EXPECT_LT(evaluation.error_low_rank, 1e-6);
      EXPECT_GT(evaluation.support.precision, 0.999);
      EXPECT_GT(evaluation.support.recall, 0.999);
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_EQ(result.certificate.level, Certified::none);
    }
  }
}

TEST(RtdAls, FillsInMissingEntries) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PlantedOptions options = test::small_problem(seed);
    options.shape = Shape{40, 40, 40};
    options.missing = 0.2;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = rtd_als(planted.tensor.view(), of_rank(3), {});
    EXPECT_LT(evaluate(result, planted.low_rank, planted.sparse).error_low_rank, 1e-6)
        << "seed " << seed;
    EXPECT_NEAR(static_cast<double>(result.missing_count), 0.2 * 64000,
                5 * std::sqrt(64000 * 0.16));
  }
}

TEST(RtdAls, StopsAtTheNoise) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PlantedOptions options = test::small_problem(seed);
    options.shape = Shape{40, 40, 40};
    options.noise = 0.02;
    options.magnitude = 2;
    const PlantedTensor planted = generate_planted(options);
    const Decomposition result = rtd_als(planted.tensor.view(), of_rank(3), {});
    const Evaluation evaluation = evaluate(result, planted.low_rank, planted.sparse);
    // Least squares would leave about 0.02 sqrt(3 * 120 / 64000) = 0.0015.
    EXPECT_LT(evaluation.error_low_rank, 0.004) << "seed " << seed;
    EXPECT_GT(evaluation.support.recall, 0.99);
    EXPECT_LT(static_cast<double>(result.sparse.count()),
              2.0 * static_cast<double>(planted.sparse.count()));
  }
}

TEST(RtdAls, LowRankPlusSparseIsTheDataWhereItIsCorrupted) {
  const PlantedTensor planted = generate_planted(test::small_problem(2));
  const Decomposition result = rtd_als(planted.tensor.view(), of_rank(3), {});
  ASSERT_GT(result.sparse.count(), 0);
  for (Index k = 0; k < result.sparse.count(); ++k) {
    const ModeIndices index = result.sparse.coordinates(k);
    const std::span<const Index> at(index.data(), 3);
    const double sum = result.low_rank.entry(at) + result.sparse.values()[k];
    EXPECT_NEAR(sum, planted.tensor.view()(at), 1e-13);
  }
}

TEST(RtdAls, GivesTheSameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = generate_planted(test::small_problem(4));
  RunOptions run = of_rank(3);
  run.threads = 1;
  const Decomposition one = rtd_als(planted.tensor.view(), run, {});
  for (const int threads : {2, 3}) {
    run.threads = threads;
    const Decomposition many = rtd_als(planted.tensor.view(), run, {});
    for (int mode = 0; mode < 3; ++mode) {
      EXPECT_TRUE((one.low_rank.factor(mode).array() == many.low_rank.factor(mode).array()).all());
    }
    EXPECT_TRUE(std::equal(one.sparse.values().begin(), one.sparse.values().end(),
                           many.sparse.values().begin(), many.sparse.values().end()));
  }
}

TEST(RtdAls, ScalingTheDataScalesTheResult) {
  PlantedTensor planted = generate_planted(test::small_problem(5));
  const Decomposition plain = rtd_als(planted.tensor.view(), of_rank(3), {});
  for (double& x : planted.tensor.typed<double>()) x *= 1024;
  const Decomposition scaled = rtd_als(planted.tensor.view(), of_rank(3), {});
  EXPECT_NEAR(scaled.low_rank.norm() / plain.low_rank.norm(), 1024, 1e-5);
  EXPECT_EQ(scaled.sparse.count(), plain.sparse.count());
}

TEST(RtdAls, EndsCleanlyOnDegenerateData) {
  for (const double value : {0.0, 1.0, -3.0}) {
    for (const Shape& shape : {Shape{2, 2}, Shape{5, 4, 3}, Shape{1, 1, 1}}) {
      DenseTensor tensor(shape);
      for (double& x : tensor.typed<double>()) x = value;
      const Decomposition result = rtd_als(tensor.view(), of_rank(1), {});
      SCOPED_TRACE(to_string(shape) + " of " + std::to_string(value));
      EXPECT_EQ(result.outcome, Outcome::converged);
      EXPECT_TRUE(result.low_rank.weights().allFinite());
      EXPECT_NEAR(result.low_rank.norm(),
                  std::abs(value) * std::sqrt(static_cast<double>(shape.entries())), 1e-6);
    }
  }
}

TEST(RtdAls, ExactDataHaveAnEmptySparsePart) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    PlantedOptions options = test::small_problem(seed);
    options.shape = Shape{4, 5, 6};
    options.rank = 1;
    options.support = Support::none;
    const PlantedTensor planted = generate_planted(options);
    EXPECT_EQ(rtd_als(planted.tensor.view(), of_rank(1), {}).sparse.count(), 0) << "seed " << seed;
  }
}

TEST(RtdAls, RankAboveTheTrueOneIsNoTrouble) {
  PlantedOptions options = test::small_problem(6);
  options.rank = 2;
  const PlantedTensor planted = generate_planted(options);
  const Decomposition result = rtd_als(planted.tensor.view(), of_rank(4), {});
  EXPECT_TRUE(result.low_rank.weights().allFinite());
  for (const Matrix& factor : result.low_rank.factors()) EXPECT_TRUE(factor.allFinite());
}

TEST(RtdAls, TheTraceCountsPassesAndStages) {
  const PlantedTensor planted = generate_planted(test::small_problem(7));
  const Decomposition result = rtd_als(planted.tensor.view(), of_rank(3), {});
  ASSERT_FALSE(result.trace.empty());
  EXPECT_EQ(result.trace.front().stage, "stage 1 of 3");
  EXPECT_EQ(result.trace.back().stage, "stage 3 of 3");
  for (std::size_t k = 1; k < result.trace.size(); ++k) {
    EXPECT_GT(result.trace[k].pass, result.trace[k - 1].pass);
  }
  EXPECT_EQ(result.passes, result.trace.back().pass + 1);  // the last pass lists S
}

TEST(RtdAls, SaysWhenTheIterationsDidNotSuffice) {
  const PlantedTensor planted = generate_planted(test::small_problem(8));
  RtdAlsOptions options;
  options.max_iterations = 4;
  const Decomposition result = rtd_als(planted.tensor.view(), of_rank(3), options);
  EXPECT_EQ(result.outcome, Outcome::iteration_limit);
  EXPECT_EQ(result.trace.size(), 4U);
}

TEST(RtdAls, CanBeCancelled) {
  const PlantedTensor planted = generate_planted(test::small_problem(9));
  RunOptions run = of_rank(3);
  int reports = 0;
  run.progress = [&](const Progress&) { return ++reports < 40 ? Continue::yes : Continue::cancel; };
  EXPECT_EQ(rtd_als(planted.tensor.view(), run, {}).outcome, Outcome::cancelled);
}

TEST(RtdAls, RefusesWhatItCannotUse) {
  DenseTensor tensor(Shape{3, 3, 3});
  const auto attempt = [&](int rank, RtdAlsOptions options = {}) {
    rtd_als(tensor.view(), of_rank(rank), options);
  };
  EXPECT_THROW(attempt(0), OptionError);
  EXPECT_THROW(attempt(10), InputError);
  EXPECT_NO_THROW(attempt(9));
  EXPECT_THROW(attempt(1, {.mu = -1}), OptionError);
  EXPECT_THROW(attempt(1, {.decay = 1}), OptionError);
  EXPECT_THROW(attempt(1, {.max_iterations = 0}), OptionError);
  EXPECT_THROW(attempt(1, {.tolerance = 0}), OptionError);
  for (double& x : tensor.typed<double>()) x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(attempt(1), InputError);
  const DenseTensor vector(Shape{5});
  EXPECT_THROW(rtd_als(vector.view(), of_rank(1), {}), InputError);
}

}  // namespace
}  // namespace sunder
